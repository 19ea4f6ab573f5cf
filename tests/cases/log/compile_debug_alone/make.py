import pathlib
import sys

# What PyTorch leaves of two graphs when nothing else was kept: no trace, no log, and files that no report shows.
out = pathlib.Path(sys.argv[1]) / "run_2024_02_29_23_59_58_000001-pid_77"
GRAPHS = {"model__0_forward_1.0": ["fx_graph_readable.py", "fx_graph_transformed.py", "fx_graph_runnable.py",
                                   "ir_pre_fusion.txt", "ir_post_fusion.txt", "output_code.py"],
          "model__12_inference_15.3": ["output_code.py", "autotuning_result_json_list.txt", "compile.stats"]}
for graph, names in GRAPHS.items():
    folder = out / "torchinductor" / graph
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_bytes(f"# {graph}/{name}\r\n\tV0229 23:59:58.000000 77 torch/a.py:1] {{}}\n\n\nend".encode())
folder = out / "torchinductor" / "model__0_forward_1.0"
for name in ("graph_diagram.svg", "compile.prof", "kernel.so", "model__0_forward_1.0.tar.gz"):
    (folder / name).write_bytes(b"\0\1")
(folder / "notes.txt").write_bytes(b"mine\n")
(folder / "ir_pre_fusion_2.txt").write_bytes(b"")
(out / "torchinductor" / "aot_model___0_debug.log").write_bytes(b"[a.py:1 DEBUG] aot\n")
(out / "torchdynamo").mkdir()
(out / "torchdynamo" / "debug.log").write_bytes(b"create_env\n")
(out / "error_recordings").mkdir()
(out / "error_recordings" / "f_ValueError_3.rec").write_bytes(b"\x80\4")
