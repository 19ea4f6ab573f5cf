#!/usr/bin/env python3
"""`pt2trace run` on real PyTorch. Writes TAP.

usage: test_run_torch.py PT2TRACE SOURCE_ROOT PRINT_PRESETS

What came of a run is compared with the truth that PyTorch reported when testdata was made, or that the program states. Without
PyTorch (tools/torch-python installs it) everything is skipped.
"""
import functools
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from tap import Tap

# Read by something else than PyTorch's Python code: the CUDA runtime, its allocator in C++.
NOT_PYTHON = {"CUDA_LAUNCH_BLOCKING", "PYTORCH_NO_CUDA_MEMORY_CACHING"}


class Torch:
    def __init__(self, pt2trace, source, python, presets):
        self.presets = str(pathlib.Path(presets).resolve())
        self.pt2trace, self.source, self.python = pathlib.Path(pt2trace).resolve(), pathlib.Path(source).resolve(), python
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pt2trace-run-torch-"))
        self.hangs = None
        shutil.copytree(self.source / "tools" / "workloads", self.folder / "work")

    def command(self, name, *words):
        return [str(self.pt2trace), "run", "--no-browser", "-o", str(self.folder / name), "-C", str(self.folder / "work"),
                *map(str, words)]

    def run(self, name, *words):
        return subprocess.run(self.command(name, *words), capture_output=True, text=True, timeout=570, check=False)

    def report(self, name):
        return json.loads((self.folder / name / "report" / "report.json").read_text())

    def trials(self, name):
        return {trial["name"]: trial for trial in json.loads((self.folder / name / "run.json").read_text())["trials"]}

    def conclusions(self, name):
        return json.loads((self.folder / name / "run.json").read_text())["conclusions"]

    def truth(self, name):
        return json.loads((self.source / "testdata" / name / "truth.json").read_text())

    def write(self, name, text):
        (self.folder / "work" / name).write_text(text)

    @functools.cache
    def said_itself(self):
        """Version, names of logs, subsystems of the bisector, as PyTorch has them once it is imported."""
        code = ("import json, torch\nfrom torch._logging._internal import log_registry as r\n"
                "from torch._inductor.compiler_bisector import BACKENDS\n"
                "print(json.dumps([torch.__version__, sorted({*r.log_alias_to_log_qnames, *r.artifact_names}),"
                " [[b, s.name] for b, l in BACKENDS.items() for s in l]]))")
        return json.loads(subprocess.run([self.python, "-c", code], capture_output=True, text=True, check=True).stdout)

    def libraries(self):
        """All Python sources of the installed PyTorch, as one text."""
        code = "import importlib.util; print(importlib.util.find_spec('torch').submodule_search_locations[0])"
        root = pathlib.Path(subprocess.run([self.python, "-c", code], capture_output=True, text=True, check=True).stdout.strip())
        parts = [root / "_dynamo", root / "_inductor", root / "_functorch", root / "fx", root / "_logging", root / "compiler",
                 root / "distributed", root / "utils"]
        return "".join(file.read_text(errors="replace") for part in parts for file in sorted(part.rglob("*.py")))


def presets(tap, torch):
    """Every variable that a question sets is one that PyTorch reads; every log that it asks for is registered."""
    asked = {"variable": set(), "log": set()}
    for line in subprocess.run([torch.presets], capture_output=True, text=True, check=True).stdout.splitlines():
        what, name = line.split("\t")
        asked[what].add(name)
    library, known = torch.libraries(), set(torch.said_itself()[1])
    tap.empty("PyTorch reads each variable", [name for name in sorted(asked["variable"] - NOT_PYTHON) if name not in library])
    tap.point("the check sees one that it does not read", "TORCHDYNAMO_NO_SUCH_THING" not in library)
    tap.empty("each log is registered", sorted(name for name in asked["log"] if name not in known and not name.startswith("torch.")))
    tap.point("there are variables and logs", {"TORCH_BISECT_BACKEND", "TORCHDYNAMO_VERBOSE"} <= asked["variable"] and "guards" in asked["log"],
              asked)


def as_the_truth_says(tap, torch):
    for name, question in (("graph_breaks", "breaks"), ("recompiles", "recompiles"), ("errors", "errors"),
                           ("recompile_limit", "recompiles")):
        truth = torch.truth(name)
        also = ["--fullgraph"] if name == "graph_breaks" else []  # see what_if
        done = torch.run(name, "--why", question, *also, "--", torch.python, f"{name}.py")
        report = torch.report(name)
        totals, trial = report["totals"], torch.trials(name)["base"]
        tap.equal(f"{name}: ends as it should", (0, "exited", 0), (done.returncode, trial["end"], trial["status"]))
        tap.equal(f"{name}: compiles", truth["compiles"], totals["compiles"])
        tap.equal(f"{name}: graph breaks", truth["graph_breaks"]["total"], totals["graph_breaks"])
        tap.equal(f"{name}: the trial says the same", (totals["compiles"], totals["graph_breaks"], totals["recompiles"]),
                  tuple(trial[key] for key in ("compiles", "graph_breaks", "recompiles")))
        tap.equal(f"{name}: asked", question, report["experiment"]["question"])
        tap.point(f"{name}: a log was kept beside the trace", {"torch_trace", "torch_logs"} <= {
            i["kind"] for i in report["inputs"] if i["used"]}, report["inputs"])
        tap.point(f"{name}: and not shown", "torch/_dynamo" not in "".join(
            line for line in done.stderr.splitlines() if line.startswith("V")), done.stderr[:2000])


def what_if(tap, torch):
    trials = torch.trials("graph_breaks")
    tap.equal("fullgraph makes a break an error", (False, True), (trials["base"]["failed"], trials["what-if"]["failed"]))
    tap.point("and says which", "Unsupported" in (trials["what-if"]["error"] or ""), trials["what-if"])
    tap.point("what is gone is listed", any(c["gone"] and c["kind"] == "graph break" for c in trials["what-if"]["changes"]))


def ranks(tap, torch):
    """Each worker of torchrun has a trace, and its output is kept apart."""
    done = torch.run("ranks", "--launcher", "torchrun", "--ranks", "4", "--", torch.python, "ranks_branch.py")
    report = torch.report("ranks")
    tap.equal("torchrun's workers are four ranks", [0, 1, 2, 3], report["ranks"]["present"])
    first = report["ranks"]["first_divergence"]
    tap.equal("rank 1 differs", [[0, 2, 3], [1]], first and first["groups"])
    files = sorted(path.parent.name for path in (torch.folder / "ranks/base/log/ranks").rglob("stderr.log"))
    tap.equal("what each writes is in a file", ["0", "1", "2", "3"], files)
    tap.equal("it worked", 0, done.returncode)


HANGS = """
import torch, time
def waits(x):
    time.sleep(600)
@torch.compile(backend="eager")
def f(x):
    return x + 1
f(torch.ones(3))
print("compiled", flush=True)
waits(3)
"""
CRASHES = """
import ctypes, torch
@torch.compile(backend="eager")
def f(x):
    return x + 1
def touches_nothing(x):
    ctypes.string_at(0)
f(torch.ones(3))
touches_nothing(1)
"""


def hang(torch):
    """Waits for its limit while others run: `endings` looks at it."""
    torch.write("hangs.py", HANGS)
    torch.hangs = subprocess.Popen(torch.command("hangs", "--time-limit", "60s", "--", torch.python, "hangs.py"), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)


def endings(tap, torch):
    torch.write("crashes.py", CRASHES)
    torch.run("crashes", "--why", "crash", "--", torch.python, "crashes.py")
    trial = torch.trials("crashes")["base"]
    tap.equal("a crash is reported by its signal", ("signaled", signal.SIGSEGV), (trial["end"], trial["signal"]))
    errors = torch.report("crashes")["errors"]
    tap.equal("and triaged", ["runtime_crash"], [e["category"].replace(" ", "_").replace("-", "_") for e in errors][:1])
    tap.point("with the line of the user's", any(e["file"] and e["file"].endswith("crashes.py") for e in errors) or
              "touches_nothing" in json.dumps(errors), errors)
    torch.hangs.wait(timeout=570)
    trial = torch.trials("hangs")["base"]
    tap.equal("a hang ends at the limit", ("timed-out", True, 1), (trial["end"], trial["failed"], trial["compiles"]))
    tap.point("with the stack of where it was", any("hangs.py" in s["text"] and "in waits" in s["text"] for s in trial["stacks"]), trial)
    first = torch.report("hangs")["findings"][0]
    tap.equal("which leads the report", ("run-hang", "critical", 4), (first["id"], first["severity"], first["line"]))
    process = subprocess.Popen(torch.command("stopped", "--", torch.python, "hangs.py"), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    console = torch.folder / "stopped/base/log/console.out"
    for _ in range(900):
        if console.is_file() and "compiled" in console.read_text():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    trial = torch.trials("stopped")["base"]
    tap.equal("Ctrl-C ends it with a report", (130, "interrupted", 1), (process.returncode, trial["end"], trial["compiles"]))
    tap.equal("a program that ends in an error", ("exited", 1, True), (lambda t: (t["end"], t["status"], bool(t["error"])))(
        (torch.run("dies", "--why", "errors", "--", torch.python, "dies.py"), torch.trials("dies")["base"])[1]))
    tap.equal("is one of its backend", ["backend"], sorted({e["category"] for e in torch.report("dies")["errors"]}))
    for name in ("dies", "crashes", "hangs", "stopped"):
        report = torch.report(name)
        tap.equal(f"{name}: its trace and its console are one process, and what is in both counts once",
                  (1, name in ("dies", "crashes")), (report["totals"]["processes"], report["totals"]["errors"] == 1))


OWN = """
import os
os.environ["TORCH_TRACE"] = "elsewhere"
import torch
torch._logging.set_logs(recompiles=True)
@torch.compile(backend="eager", dynamic=False)
def f(x):
    return x + 1
for n in (4, 5):
    f(torch.ones(n))
"""


def programs_own(tap, torch):
    """What the program asks for itself stays, and its trace is found where it puts it."""
    torch.write("own.py", OWN)
    done = torch.run("own", "--", torch.python, "own.py")
    tap.point("its own logs are shown", "[__recompiles]" in done.stderr, done.stderr)
    tap.equal("its trace is reported on", 2, torch.report("own")["totals"]["compiles"])
    tap.point("and where that is", any("sets TORCH_TRACE itself" in note for note in torch.report("own")["experiment"]["notes"]))


def asking(tap, torch):
    """What is known of a PyTorch without importing it is what it says itself."""
    ask = (torch.source / "src/relaunch/hook/ask.py").read_text()
    answer = json.loads(subprocess.run([torch.python, "-X", "importtime", "-c", ask], capture_output=True, text=True, check=True)
                        .stdout.split("pt2trace:")[1])
    names = [[row[0], row[2] if row[1] != "ConfigChange" else f"{row[2]}_{row[3]}"] for row in answer["subsystems"]]
    tap.equal("version, logs and subsystems of the bisector", torch.said_itself(), [answer["torch"], answer["logs"], names])


def caches(tap, torch):
    torch.run("warm", "--why", "cache", "--", torch.python, "hello.py")
    trials = torch.trials("warm")
    tap.equal("a question about caches runs twice", ["cold", "base"], list(trials))
    tap.equal("where nothing is wrong", [1, 0, 0, 0], [trials["cold"][k] for k in ("compiles", "graph_breaks", "recompiles", "errors")])
    hits = torch.report("warm")["totals"]["cache_hits"]
    tap.point("and reports on the run that finds them filled", hits and hits > 0, hits)


CALLS = """
import torch
@torch.compile(backend="eager")
def f(x):
    return x + 1
for _ in range(5):
    f(torch.ones(3))
for _ in range(3):
    f(torch.ones(4))
"""


def regions(tap, torch):
    """torch.profiler measures how long the calls of compiled code took, also without a GPU."""
    torch.write("calls.py", CALLS)
    torch.run("calls", "--gpu-activity", "kineto", "--", torch.python, "calls.py")
    found = torch.report("calls")["gpu"]["regions"]
    tap.equal("calls of each compile", {"0/0": 5, "0/1": 3}, {r["id"]: r["calls"] for r in found})
    tap.point("the first takes longest: it is compiled in it", all(r["first_s"] > r["other_mean_s"] > 0 for r in found), found)
    tap.equal("a GPU that did nothing has no time", None, torch.trials("calls")["base"]["gpu_us"])
    tap.equal("joined with their compiles", ["0/0", "0/1"], sorted(r["compile"]["id"] for r in found))


def ablation(tap, torch):
    """A program that is wrong from one stage of the compiler on. Which one, its first line says."""
    name = "ablate_decomposition"
    shutil.copy(torch.source / "tests" / "run" / f"{name}.py", torch.folder / "work")
    torch.run(name, "-q", "--ablate", "--check", "sum ([0-9.]+)", "--", torch.python, f"{name}.py")
    first, trials = torch.conclusions(name)[0], torch.trials(name)
    tap.point("the stage at fault is found", "the fault is in decompositions of operators" in first, first)
    tap.equal("modes, which are Inductor's, are not tried", [], [t for t in trials if t.startswith("mode-")])
    outcomes = {t: [c["outcome"] for c in trials[t]["checks"]] for t in ("dynamo", "aot_eager", "aot_eager_decomp_partition", "base")}
    tap.equal("results are compared with those without torch.compile",
              {"dynamo": ["same"], "aot_eager": ["same"], "aot_eager_decomp_partition": ["different"], "base": ["different"]}, outcomes)


def main(pt2trace, source, print_presets):
    tap = Tap()
    found = subprocess.run([pathlib.Path(source, "tools/torch-python"), "--no-install"], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        tap.skip("runs of real PyTorch", found.stderr.strip())
        return tap.end()
    torch = Torch(pt2trace, source, found.stdout.strip(), print_presets)
    hang(torch)
    try:
        for part in (presets, asking, as_the_truth_says, what_if, ranks, endings, programs_own, caches, regions, ablation):
            part(tap, torch)
    finally:
        torch.hangs.terminate()
        torch.hangs.wait()
        shutil.rmtree(torch.folder, ignore_errors=True)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
