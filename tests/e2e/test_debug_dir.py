#!/usr/bin/env python3
"""Files of a torch_compile_debug directory come back as they are. Prints TAP.

usage: test_debug_dir.py PT2TRACE CASES [SHARED]

CASES is tests/cases/log; with SHARED, the directory of a real run that lies beside the repository is read, too.
"""

import json
import pathlib
import resource
import sys
import tempfile

from tap import Tap, run

RUN = "run_2026_11_21_08_00_00_000000-pid_100"
TEXTS = {
    "lines": b"one\ntwo\n",
    "no newline at the end": b"one\ntwo",
    "line ends of Windows": b"one\r\ntwo\r\n",
    "what a trace has": b"\tone\nV1121 08:00:00.000000 100 torch/a.py:1] {\"x\": 1}\n[rank0]: two\n",
    "bytes that are no text": bytes(range(256)) + b"\n\0\n",
    "many lines": b"# a line of code\n" * 20000,
}


def shown(pt2trace, *words):
    return run(pt2trace, "show", *words).stdout


def made(tap, pt2trace):
    for name, text in TEXTS.items():
        with tempfile.TemporaryDirectory() as work:
            folder = pathlib.Path(work) / RUN / "torchinductor" / "model__0_inference_0.0"
            folder.mkdir(parents=True)
            (folder / "output_code.py").write_bytes(text)
            for path in (work, folder, folder / "output_code.py"):
                found = shown(pt2trace, path, "output_code")
                tap.point(f"{name}, below {path.name if path is not work else 'all'}", found == text, found[:200])


def many(tap, pt2trace, files=2000, open_files=100):
    """More files than may be open at a time; each stays readable."""
    with tempfile.TemporaryDirectory() as work:
        for i in range(files):
            folder = pathlib.Path(work) / RUN / "torchinductor" / f"model__{i}_inference_{i}.0"
            folder.mkdir(parents=True)
            (folder / "output_code.py").write_text(f"# {i}\n")
        limits = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))}
        done = run(pt2trace, "report", "-q", "--no-browser", "--artifacts", "all", "-o", f"{work}/out", work, **limits)
        tap.point(f"{files} files with {open_files} open ones", done.returncode == 0, done.stderr.decode())
        codes = {path.read_text() for path in pathlib.Path(work, "out").rglob("*output_code*") if path.is_file()}
        tap.equal("each is there", {f"# {i}\n" for i in range(files)}, codes)


def beside_a_trace(tap, pt2trace, folder):
    code = next(folder.glob("**/output_code.py"))
    tap.equal("of a compile that the trace has", code.read_bytes(), shown(pt2trace, folder, "0/0", "output_code"))
    for name in ("fx_graph_readable.py", "fx_graph_runnable.py", "ir_pre_fusion.txt", "ir_post_fusion.txt"):
        tap.equal(name, next(folder.glob(f"**/{name}")).read_bytes(), shown(pt2trace, folder, "0/0", name.split(".")[0]))


def alone(tap, pt2trace):
    """Nothing says which compiles the graphs are of: they are known by the names of their folders."""
    graph = "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n        # File: /home/u/%s:%d in forward, code: x + 1\n" \
            "        add: \"f32[4]\" = torch.ops.aten.add.Tensor(x, 1);  x = None\n        return (add,)\n"
    with tempfile.TemporaryDirectory() as work:
        for name, line in (("model__10_inference_11.4", 31), ("model__2_forward_5.2", 8), ("model__2_backward_6.3", 9)):
            folder = pathlib.Path(work) / RUN / "torchinductor" / name
            folder.mkdir(parents=True)
            (folder / "fx_graph_readable.py").write_text(graph % ("train.py", line))
            (folder / "output_code.py").write_text(f"# {name}\n")
        report = json.loads(run(pt2trace, "export", "--format", "json", work).stdout)
        found = report["findings"]
        tap.equal("alone: what each artifact is", {("fx_graph_readable", "file"), ("inductor_output_code", "file")},
                  {(artifact["name"], artifact["kind"]) for unattributed in report["unattributed"] for artifact in unattributed["artifacts"]})
        tap.equal("alone: a finding counts the graphs", [("no-compile-id", "3 graphs of torch_compile_debug belong to no known compile")],
                  [(finding["id"], finding["title"]) for finding in found])
        tap.equal("alone: it names them in the order of their numbers, with their code",
                  ["`model__2_backward_6.3` from `train.py:9`", "`model__2_forward_5.2` from `train.py:8`", "`model__10_inference_11.4` from `train.py:31`"],
                  found[0]["detail"].split(". ")[0].split(", ") if found else [])
        listed = shown(pt2trace, work).decode()
        tap.equal("alone: show lists their files", 3, sum(line.split()[2:] == ["inductor_output_code", name] for line in listed.splitlines()
                                                        for name in ("model__10_inference_11.4", "model__2_forward_5.2", "model__2_backward_6.3")))
        both = shown(pt2trace, work, "model__2_forward_5.2").decode()
        tap.point("alone: show prints the files of a graph", "train.py:8" in both and "# model__2_forward_5.2\n" in both and "train.py:9" not in both, both)
        tap.equal("alone: part of the name does", both, shown(pt2trace, work, "model__2_f").decode())


def real(tap, pt2trace, folder):
    compiles = {"0": "0/0", "1": "0/1", "2": "1/0"}
    for path in sorted(folder.glob("torch_compile_debug/run_*/torchinductor/model__*/ir_post_fusion.txt")):
        graph = path.parent.name
        text = shown(pt2trace, folder, compiles[graph.split("__")[1][0]], "ir_post_fusion")
        tap.point(f"{graph}: in its compile", path.read_bytes() in text, text[:300])


def main():
    tap, pt2trace = Tap(), sys.argv[1]
    made(tap, pt2trace)
    many(tap, pt2trace)
    beside_a_trace(tap, pt2trace, pathlib.Path(sys.argv[2]) / "compile_debug_and_trace" / "input")
    alone(tap, pt2trace)
    folder = pathlib.Path(sys.argv[3]) / "traces" / "provenance" if len(sys.argv) > 3 else None
    if folder and folder.is_dir():
        real(tap, pt2trace, folder)
    else:
        tap.skip("a real run", "it does not lie beside the repository")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
