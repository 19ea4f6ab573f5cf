import pathlib
import sys

# TORCHDYNAMO_REPRO_AFTER=aot, and what running minifier_launcher.py adds.
out = pathlib.Path(sys.argv[1]) / "torch_compile_debug" / "run_2026_11_21_13_03_59_802858-pid_3493" / "minifier"
(out / "checkpoints" / "storages").mkdir(parents=True)
(out / "minifier_launcher.py").write_text("import torch\n# command='minify'\n")
(out / "repro.py").write_text("import torch\n# command='run'\n")
(out / "checkpoints" / "9.py").write_text("nine nodes\n")
(out / "checkpoints" / "4.py").write_text("four nodes\n")
(out / "checkpoints" / "storages" / "0a1b").write_bytes(b"\0\0\x80?")
