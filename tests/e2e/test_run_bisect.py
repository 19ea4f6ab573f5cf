#!/usr/bin/env python3
"""`pt2trace run --bisect`, `--minify` and `--repro` find the fault that is there, and say so when there is none. Prints TAP.

usage: test_run_bisect.py PT2TRACE SOURCE_ROOT planted|torch|bugs [PROGRAM...]

Most is tried on programs that behave as a PyTorch with one fault does: they follow Inductor's bisector and the minifier by
their variables and files (torch/_inductor/compiler_bisector.py, torch/_dynamo/repro), so that each fault can be planted.
With a real PyTorch (tools/torch-python), the workloads tests/run/bisect_*.py and minify_*.py.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from tap import Tap
from torch_python import torch_python
from writer import Writer

TORCH = """
__version__ = "VERSION"
class version:
    git_version = "0000000"
    cuda = hip = None
class cuda:
    device_count = staticmethod(lambda: 0)
def compile(model=None, **call):
    return model
"""
# As its source looks; it is read, never imported.
BISECTOR = """
BACKENDS: dict[str, list[Subsystem]] = {
    "eager": [],
    "aot_eager": [],
    "aot_eager_decomp_partition": [
        ConfigChange("aot_eager_decomp_partition", "cse", False),
        BisectSubsystem("decomposition"),
    ],
    "aot_eager_decomp_partition_crossref": [],
    "inductor": [
        BisectSubsystem("pre_grad_passes"),  # passes applied on pre-grad IR
        ConfigChange("inductor", "fallback_random", True),
        BisectSubsystem("lowerings"),
    ],
}
"""
# Leaves a trace of one compile, as of this process.
TRACED = """
import gzip, os, pathlib, re, torch
if "TORCH_TRACE" in os.environ and "TORCHDYNAMO_DISABLE" not in os.environ:
    folder = pathlib.Path(os.environ["TORCH_TRACE"])
    folder.mkdir(parents=True, exist_ok=True)
    for file in pathlib.Path(TESTDATA, "hello").rglob("dedicated_log_torch_trace_*"):
        text = re.sub(r"^(V[0-9]{4} [0-9:.]+ )[0-9]+ ", rf"\\g<1>{os.getpid()} ", gzip.open(file, "rt").read(), flags=re.M)
        (folder / f"dedicated_log_torch_trace_{os.getpid()}.log").write_text(text)
"""
# The fault is a JSON object: the backend from which on it is there, its subsystem and application, how it shows.
PROGRAM = """
import json, os, pathlib, signal, sys, time, types
FAULT = json.loads(sys.argv[1])
ORDER = ["own", "eager", "aot_eager", "aot_eager_decomp_partition", "inductor"]
APPLICATIONS = {"decomposition": 3, "pre_grad_passes": 2, "lowerings": 6}
CONFIG = {"aot_eager_decomp_partition_cse": "cse=False", "inductor_fallback_random": "fallback_random=True"}
HOME = {"decomposition": ORDER[3], "aot_eager_decomp_partition_cse": ORDER[3]}
env = os.environ.get

def state(name):
    return pathlib.Path(env("TORCHINDUCTOR_CACHE_DIR", ""), "bisect", env("TORCH_BISECT_BACKEND"),
                        env("TORCH_BISECT_SUBSYSTEM") + "_" + name + ".txt")

def disabled(subsystem, counter):
    # CompilerBisector.disable_subsystem
    if (env("TORCH_BISECT_BACKEND"), env("TORCH_BISECT_SUBSYSTEM")) != (HOME.get(subsystem, "inductor"), subsystem):
        return False
    if env("TORCH_BISECT_MAX"):
        return counter > int(env("TORCH_BISECT_MAX"))
    if state("run_state").read_text() == "find_max_bounds":
        state("bisect_range").write_text(f"low=0\\nhigh={counter}\\n")
        return False
    low, high = (int(line.split("=")[1]) for line in state("bisect_range").read_text().splitlines())
    if FAULT.get("memory"):
        # Before 2.13.
        module = sys.modules.setdefault("torch._inductor.compiler_bisector", types.ModuleType("bisector"))
        vars(module).setdefault("call_counter_debug_info", {})[counter] = f"node\\n<{counter}>"
    elif low <= counter <= high and high - low <= 2 and not FAULT.get("nameless"):
        with state("call_counter_debug_info").open("a") as out:
            out.write(f"{counter}=node <{counter}>\\n")
    return counter > (low + high) // 2

def is_there():
    if env("TORCHDYNAMO_DISABLE"):
        return FAULT["backend"] == "none"
    backend = env("TORCH_BISECT_BACKEND") or env("PT2TRACE_BACKEND") or "inductor"
    if backend.endswith("crossref"):
        return FAULT.get("crossref", False)
    if FAULT["backend"] == "own":
        return not env("TORCH_BISECT_BACKEND")
    there = FAULT["backend"] == "none" or FAULT["backend"] in ORDER[:ORDER.index(backend) + 1]
    subsystem = FAULT.get("subsystem")
    for name, count in APPLICATIONS.items():
        applied = [n for n in range(count) if not disabled(name, n)]
        if name == subsystem and FAULT["number"] not in applied:
            there = False
    if subsystem in CONFIG and env("TORCH_BISECT_SUBSYSTEM") == subsystem:
        there = there and state("config").read_text().strip() != CONFIG[subsystem]
    if FAULT.get("flaky") and env("TORCH_BISECT_SUBSYSTEM") == "lowerings" and not env("TORCH_BISECT_MAX"):
        there = False
    if FAULT.get("once") and env("TORCH_BISECT_MAX") == str(FAULT["number"]):
        there = False
    return there

if is_there():
    print("wrong", flush=True)
    if FAULT.get("how") == "number":
        sys.exit(print("loss 0.5"))
    if FAULT.get("other") and env("TORCH_BISECT_SUBSYSTEM"):
        raise KeyError("another one")
    if FAULT.get("how") == "hang":
        time.sleep(100)
    if FAULT.get("how") == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    sys.exit("the fault")
print("right")
print("loss 0.25")
"""
# Leaves a launcher where the fault says that one is left; the launcher leaves what the fault says.
MINIFIED = """
import json, os, pathlib, signal, sys
FAULT = json.loads(sys.argv[1])
if [os.environ.get("TORCHDYNAMO_REPRO_AFTER"), os.environ.get("TORCHDYNAMO_REPRO_LEVEL")] == FAULT["left"]:
    run = pathlib.Path(os.environ["TORCH_COMPILE_DEBUG_DIR"], "torch_compile_debug", "run_2026_11_21_08_10_31_248992-pid_357")
    (run / "minifier").mkdir(parents=True)
    head = "import os\\n" + "".join(f"os.environ['{k}'] = '{v}'\\n" for k, v in os.environ.items() if "TORCH" in k)
    (run / "minifier" / "minifier_launcher.py").write_text(head + FAULT["launcher"].replace("HEAD", repr(head)))
    if FAULT["left"][1] == "4":
        pathlib.Path("repro.py").write_text("a copy that PyTorch makes")
if "TORCHDYNAMO_DISABLE" not in os.environ:
    exec(FAULT["fault"])
"""
LAUNCHER = "import sys\nassert sys.argv[1:] == ['minify', {isolate!r}], sys.argv\nopen('repro.py', 'w').write(HEAD + {repro!r})\n"
ERROR = "raise type('InductorError', (Exception,), {'__module__': 'torch._inductor.exc'})('no')\n"


class Place:
    """A directory with programs, a stand-in for PyTorch, and what pt2trace makes of them."""

    def __init__(self, pt2trace, source, temp):
        self.pt2trace, self.folder = str(pathlib.Path(pt2trace).resolve()), pathlib.Path(temp)
        self.runs = 0
        traced = TRACED.replace("TESTDATA", repr(str(pathlib.Path(source, "testdata").resolve())))
        (self.folder / "program.py").write_text(traced + PROGRAM)
        (self.folder / "minified.py").write_text(traced + MINIFIED)
        self.make_torch("new", "2.13.0+fake", BISECTOR)
        self.make_torch("old", "2.5.1+fake", None)
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("TORCH", "PT2TRACE_"))}
        self.environment = {**keep, "PYTHONPATH": str(self.folder / "new"), "HOME": str(self.folder),
                            "TMPDIR": str(self.folder / "tmp")}
        (self.folder / "tmp").mkdir()

    def make_torch(self, name, version, bisector):
        package = self.folder / name / "torch"
        (package / "_inductor").mkdir(parents=True)
        (package / "__init__.py").write_text(TORCH.replace("VERSION", version))
        (package / "_dynamo").mkdir()
        for part in ("_inductor", "_dynamo"):
            (package / part / "__init__.py").write_text("")
        if bisector:
            (package / "_inductor" / "compiler_bisector.py").write_text(bisector)

    def run(self, *words, **environment):
        """run.json and what was printed; None in place of the first when there is none."""
        self.runs += 1
        out = self.folder / f"out{self.runs}"
        done = subprocess.run([self.pt2trace, "run", "-q", "-o", str(out), *map(str, words)], capture_output=True, text=True,
                              timeout=3000, cwd=self.folder, env={**self.environment, **environment}, check=False)
        self.out = out
        run = json.loads((out / "run.json").read_text()) if (out / "run.json").exists() else None
        return run, done.stdout + done.stderr

    def bisect(self, *options, new=True, **fault):
        path = str(self.folder / ("new" if new else "old"))
        run, said = self.run("--bisect", *options, "--", sys.executable, "program.py", json.dumps(fault), PYTHONPATH=path)
        return run or {"conclusions": [said], "notes": [], "trials": []}

    def minify(self, left, launcher, fault, *options):
        state = json.dumps({"left": left, "launcher": launcher, "fault": fault})
        run, said = self.run("--minify", *options, "--", sys.executable, "minified.py", state)
        return run or {"conclusions": [said], "notes": [], "trials": []}


def has(run, *patterns, where="conclusions"):
    """The patterns that no sentence has, and what there is instead."""
    missing = [f"nothing like {pattern!r}" for pattern in patterns if not any(re.search(pattern, s) for s in run[where])]
    return missing + run[where] * bool(missing)


def notes(run):
    """But that the programs, which compile nothing, do so."""
    return [note for note in run["notes"] if "compiled nothing" not in note]


def commands(run):
    return [s[2:] for s in run["conclusions"] if s.startswith("$ ")]


# --- bisect --------------------------------------------------------------------------------------------------------------


def check_applications(tap, place):
    for backend, subsystem, number, last in [("inductor", "lowerings", 4, 5), ("inductor", "lowerings", 0, 5),
                                             ("inductor", "lowerings", 5, 5), ("inductor", "pre_grad_passes", 1, 1),
                                             ("aot_eager_decomp_partition", "decomposition", 1, 2)]:
        name = f"{subsystem} {number} of 0 to {last}"
        run = place.bisect(backend=backend, subsystem=subsystem, number=number)
        tap.empty(f"{name}: backend, subsystem, application and what it is are found", has(
            run, f"^It fails from backend `{backend}` on",
            f"^The fault goes away without application {number} of subsystem `{subsystem}` \\(of 0 to {last}\\): "
            f"`node <{number}>`." + (" Without it the operator" if subsystem == "lowerings" else "") +
            (".* last application of all" if number == last else "[^l]*")))
        ends = [subprocess.run(["sh", "-c", command], cwd=place.folder, env=place.environment, capture_output=True,
                               check=False).returncode for command in commands(run)]
        tap.equal(f"{name}: the commands that are printed work and fail", [0, 1], ends)
        last = [re.search("TORCH_BISECT_MAX=(-?[0-9]+)", command).group(1) for command in commands(run)]
        ran = {t["environment"].get("TORCH_BISECT_MAX"): t["failed"] for t in run["trials"]}
        tap.equal(f"{name}: ... and were run", [False, True], [ran.get(value) for value in last])
        tap.empty(f"{name}: nothing is noted", notes(run))
    tap.equal("the procedure is named", "bisect", run["procedure"])
    tap.equal("each trial has a directory of its name",
              [t["name"] for t in run["trials"]],
              ["base", "eager", "eager.2", "base.2"] + [f"bisect-{i + 1}" for i in range(len(run["trials"]) - 4)])
    tap.empty("each trial says how it differs", [t["name"] for t in run["trials"][1:] if not t["how"]])
    tap.empty("no directory of caches is left", os.listdir(place.folder / "tmp"))


def check_others(tap, place):
    tap.empty("a setting without which it works is found", has(
        place.bisect(backend="inductor", subsystem="inductor_fallback_random"),
        "goes away with `torch._inductor.config.fallback_random = True`", "--set torch._inductor.config.fallback_random=True"))
    tap.empty("a setting of AOTAutograd is one of functorch", has(
        place.bisect(backend="aot_eager_decomp_partition", subsystem="aot_eager_decomp_partition_cse"),
        "goes away with `torch._functorch.config.cse = False`"))
    tap.empty("a backend without subsystems is all there is to say", has(
        place.bisect(backend="aot_eager"), "from backend `aot_eager` on: the fault is in AOTAutograd"))
    tap.empty("a fault of Dynamo is found", has(place.bisect(backend="eager"), "from backend `eager` on"))
    tap.empty("what cannot be switched off is reported", has(
        place.bisect(backend="inductor"), r"without each of the subsystems of `inductor`, too \(pre_grad_passes, "
        r"inductor_fallback_random, lowerings\), each alone: .* or in two of them"))
    tap.empty("a wrong meta function is suspected where the crossref backend fails, too", has(
        place.bisect(backend="inductor", crossref=True), "the meta function of an operator may be wrong"))


def check_nothing(tap, place):
    run = place.bisect(backend="nowhere")
    tap.empty("no fault: it says so", has(run, "^It does not fail: there is nothing to bisect"))
    tap.equal("no fault: it costs two launches", 2, len(run["trials"]))
    run = place.bisect(backend="none")
    tap.empty("a fault of the program: it says so", has(run, "^It fails without torch.compile, too"))
    tap.equal("a fault of the program: it costs three launches", 3, len(run["trials"]))
    tap.empty("a fault of the program's own backend: it says so", has(
        place.bisect(backend="own"), "with backend `inductor` it works"))


def check_ways(tap, place):
    crash = place.bisect(backend="inductor", subsystem="lowerings", number=2, how="signal")
    tap.empty("a crash is bisected", has(crash, "application 2 of subsystem `lowerings`"))
    hang = place.bisect("--time-limit", "2s", backend="eager", how="hang")
    tap.empty("a program that hangs is bisected", has(hang, "from backend `eager` on"))
    check = ("--check", "loss ([0-9.]+)")
    number = place.bisect(*check, backend="inductor", subsystem="lowerings", number=2, how="number")
    tap.empty("a wrong number is bisected", has(
        number, "^It gives another result from backend `inductor` on", "application 2 of subsystem `lowerings`",
        "^The first that gives another result:", "^[$] cd .* TORCH_BISECT_BACKEND=inductor .*TORCH_BISECT_MAX=2 "))
    tap.empty("the right number is nothing to bisect", has(
        place.bisect(*check, backend="nowhere"), "^It does not fail: there is nothing to bisect.$"))
    flaky = place.bisect(backend="inductor", subsystem="lowerings", number=2, flaky=True)
    tap.empty("what fails only sometimes is reported", has(flaky, "^It does not always fail"))
    once = place.bisect(backend="inductor", subsystem="lowerings", number=5, once=True)
    tap.empty("what works when it is run as it will be printed is reported", has(once, "^It does not always fail: the same run of subsystem `lowerings`"))
    other = place.bisect(backend="inductor", subsystem="lowerings", number=2, other=True)
    tap.empty("that it fails in another way is reported", has(other, "fails with KeyError, not with", where="notes"))
    tap.equal("... once", 1, sum("not with" in note for note in other["notes"]))
    memory = place.bisect(backend="inductor", subsystem="lowerings", number=3, memory=True)
    tap.empty("a PyTorch that keeps the name in memory gives it through the hook", has(memory, "application 3 .*: `node <3>`"))
    nameless = place.bisect(backend="inductor", subsystem="lowerings", number=3, nameless=True)
    tap.empty("a PyTorch that does not name the application is reported",
              has(nameless, r"application 3 of subsystem `lowerings` \(of 0 to 5\)\. ") + has(nameless, "does not say which operator", where="notes"))
    old = place.bisect(backend="aot_eager", new=False)
    tap.empty("before 2.6 the backend is found, and that there is no more to find",
              has(old, "from backend `aot_eager` on") + has(old, "2.6 and later have one", where="notes"))


def check_stale(tap, place):
    state = place.folder / "cache" / "bisect" / "bisect_status.txt"
    state.parent.mkdir(parents=True)
    state.write_text("backend=eager\nsubsystem=\n")
    words = ("--", sys.executable, "-c", "print(1)")
    run, _ = place.run(*words, TORCHINDUCTOR_CACHE_DIR=str(state.parent.parent))
    tap.empty("a bisection that was not ended is reported", has(run, "bisect_status.txt is left", where="notes"))
    tap.equal("... and left as it is", "backend=eager\nsubsystem=\n", state.read_text())
    shutil.copytree(place.folder / "cache", place.folder / "tmp" / "torchinductor_a_b")
    run, _ = place.run(*words, LOGNAME="a:b")
    tap.empty("... in the default directory, too", has(run, "torchinductor_a_b/bisect/bisect_status.txt is", where="notes"))
    shutil.rmtree(place.folder / "tmp" / "torchinductor_a_b")
    run, _ = place.run(*words, LOGNAME="a:b")
    tap.empty("... and only where there is one", notes(run))


# --- minify --------------------------------------------------------------------------------------------------------------


def check_minify(tap, place):
    same = LAUNCHER.format(isolate="--no-isolate", repro=ERROR)
    run = place.minify(["aot", "2"], same, ERROR)
    repro = place.out / "minify" / "repro.py"
    tap.equal("the procedure is named", "minify", run["procedure"])
    tap.empty("an error is minified, and fails in the same way", has(run, "On its own it fails in the same way, with"))
    tap.point("the program that is left names no place of another process",
              repro.exists() and "TORCH" in repro.read_text() and not re.search("_DIR|_TRACE|_LOGS'", repro.read_text()),
              repro.read_text() if repro.exists() else "there is none")
    tap.point("and is in the report", repro.exists() and json.loads((place.out / "report" / "report.json").read_text())[
        "experiment"]["program"] == repro.read_text())
    tap.empty("no directory of caches is left by --minify", os.listdir(place.folder / "tmp"))
    tap.empty("an error that is only seen behind Dynamo is minified", has(
        place.minify(["dynamo", "2"], same, ERROR), "fails in the same way"))
    tap.empty("what does not fail in the end is reported", has(
        place.minify(["aot", "2"], LAUNCHER.format(isolate="--no-isolate", repro="pass\n"), ERROR), "it does not fail.$"))
    tap.empty("what fails in another way is reported", has(
        place.minify(["aot", "2"], LAUNCHER.format(isolate="--no-isolate", repro="import sys; sys.exit(3)\n"), ERROR),
        "in another way, with status 3"))
    tap.empty("a minifier that leaves nothing is reported, with what to do instead", has(
        place.minify(["aot", "2"], "raise RuntimeError('Input graph did not fail the tester')\n", ERROR),
        "does not fail alone", "--repro all"))
    tap.empty("a program that leaves no graph is reported", has(
        place.minify(["never", "2"], "", ERROR), "left no graph for the minifier"))


# As PyTorch's own: the graph has a symbol for a size, which the launcher drops unless it is asked to keep it.
SYMBOLIC = """
import os, sys
"reader.symint(2)  # arg0_1"
if sys.argv[1:] != ["minify", "--no-isolate", "--tracing-mode", "symbolic"]:
    sys.exit("Input graph did not fail the tester")
os.makedirs("checkpoints/storages")
open("checkpoints/storages/5c48a3", "w").write("the inputs")
open("repro.py", "w").write(HEAD + REPRO.replace("PLACE", repr(os.getcwd() + "/checkpoints")))
"""
REPRO = """
# reader.storage('5c48a3', 16), reader.storage('../../etc', 1)
def run(save_dir, tracing_mode):
    if tracing_mode == 'symbolic' and open(save_dir + '/storages/5c48a3').read() == 'the inputs':
        FAIL
run(save_dir=PLACE, tracing_mode='real')
"""


def check_minify_inputs(tap, place):
    launcher = SYMBOLIC.replace("REPRO", repr(REPRO.replace("FAIL", ERROR)))
    run = place.minify(["aot", "2"], launcher, ERROR)
    tap.empty("sizes stay symbols where the program has them, and so they are in what is left", has(run, "fails in the same way"))
    elsewhere = place.folder / "elsewhere"
    if (place.out / "minify").exists():
        shutil.copytree(place.out / "minify", elsewhere)
        shutil.rmtree(place.out)
    done = subprocess.run([sys.executable, elsewhere / "repro.py"], capture_output=True, text=True, cwd="/", check=False)
    tap.point("the directory has the inputs, and can be sent to somebody", "InductorError" in done.stderr, done.stderr)
    tap.equal("nothing else is taken for an input", ["5c48a3"], os.listdir(elsewhere / "storages"))


def check_minify_ways(tap, place):
    check_minify_inputs(tap, place)
    kill = "import os; os.kill(os.getpid(), 11)\n"
    tap.empty("a crash is minified in processes of their own", has(
        place.minify(["aot", "3"], LAUNCHER.format(isolate="--isolate", repro=kill), kill), "in the same way, with Segmentation fault"))
    wrong = LAUNCHER.format(isolate="--no-isolate", repro=ERROR.replace("_inductor.exc", "_dynamo.debug_utils").replace(
        "InductorError", "AccuracyError"))
    run = place.minify(["aot", "4"], wrong, "sys.exit(1)\n")
    tap.empty("wrong numbers are minified", has(run, "fails in the same way, with"))
    tap.point("PyTorch's repro.py is not left with the program", not (place.folder / "repro.py").exists())
    (place.folder / "repro.py").write_text("the user's own")
    run = place.minify(["aot", "4"], wrong, "sys.exit(1)\n")
    tap.equal("a repro.py of the user's stays", "the user's own", (place.folder / "repro.py").read_text())
    tap.empty("... and the reason is given why nothing was minified", has(run, "would overwrite it with another file", where="notes"))
    (place.folder / "repro.py").unlink()
    run = place.minify(["aot", "2"], "", "")
    tap.empty("nothing fails: it says so", has(run, "^It does not fail: there is nothing to minify"))
    tap.equal("nothing fails: it costs two launches", 2, len(run["trials"]))
    run = place.minify(["aot", "2"], "", "import time; time.sleep(100)\n", "--time-limit", "2s")
    tap.empty("a program that hangs is none for the minifier", has(run, "did not end within the time limit"))
    hangs = "import os, time\nif 'TORCHDYNAMO_REPRO_AFTER' in os.environ: time.sleep(100)\n" + ERROR
    run = place.minify(["never", "2"], "", hangs, "--time-limit", "2s")
    tap.equal("launches that leave a graph have the time limit, too", {("timed-out", True)},
              {(t["end"], t["wall_us"] < 30e6) for t in run["trials"] if t["name"].startswith("minify-")})


# --- repro ---------------------------------------------------------------------------------------------------------------

CUDA = "buf0 = reader.storage('00', 64, device=device(type='cuda', index=0))\nraise SystemExit(1)\n"


def write_trace(path, *graphs, hit=None):
    """A compile for each graph, with the graph's program, if it has one."""
    w = Writer()
    for i, text in enumerate(graphs):
        id = {"frame_id": i, "frame_compile_id": 0, "attempt": 0}
        w.start("f", 10 + i, **id)
        if i == hit:
            w.artifact("fx_graph_cache_hit", "{}", "json", **id)
        if text is not None:
            w.record("artifact", {"name": "fx_graph_runnable", "encoding": "string"}, text, **id)
    path.mkdir()
    (path / "dedicated_log_torch_trace_x.log").write_bytes(w.data)
    return path


def check_repro(tap, place):
    python = ("--python", sys.executable)
    trace = write_trace(place.folder / "graphs", "print('good')", "import os\nos.environ['TORCH_TRACE'] = '/nowhere'\n" + ERROR,
                        CUDA, None, hit=3)
    run, said = place.run("--repro", "0/0", *python, trace)
    tap.empty("a graph that works alone", has(run, r"^The graph of \[0/0\] works alone.$"))
    tap.empty("what it lacks is reported", has(run, "random numbers for weights", where="notes"))
    run, said = place.run("--repro", "1/0", *python, trace)
    tap.empty("a graph that fails alone", has(run, r"^The graph of \[1/0\] fails alone, with \S*InductorError"))
    tap.equal("the program is the graph's, without places of another process", "import os\n" + ERROR,
              (place.out / "repro" / "1_0.py").read_text())
    run, said = place.run("--repro", "2/0", *python, trace)
    tap.empty("a graph that needs a GPU where there is none", has(run, r"\[2/0\] cannot run here: .* CUDA device"))
    run, said = place.run("--repro", "all", *python, trace)
    tap.empty("all of them: those that fail are named and counted", has(
        run, r"^The graph of \[1/0\] fails alone", "^1 of the 2 graphs that ran fails alone", "^1 of the 3 graphs cannot run"))
    tap.equal("all of them: a trial each", ["base", "1_0"], [t["name"] for t in run["trials"]])
    run, said = place.run("--repro", "1/0", "--why", "accuracy", *python, write_trace(
        place.folder / "numbers", None, "import sys\nraise SystemExit(sys.argv[1:] != ['run', '--accuracy'])\n"))
    tap.empty("--why accuracy compares the numbers", has(run, r"\[1/0\] works alone"))


def check_repro_ranks(tap, place):
    """What several ranks have is run once, where they differ each."""
    same = "import os\nos.environ['TORCHELASTIC_ERROR_FILE'] = '/tmp/%d'\nprint('good')\n"
    folder = place.folder / "ranks"
    folder.mkdir()
    for rank in range(4):
        trace = write_trace(place.folder / f"rank{rank}", same % rank, "print('good')" if rank < 3 else ERROR, *["print('third')"][rank:])
        text = (trace / "dedicated_log_torch_trace_x.log").read_text()
        (folder / f"dedicated_log_torch_trace_rank_{rank}_x.log").write_text(text)
    run, said = place.run("--repro", "all", "--python", sys.executable, folder)
    tap.equal("graphs of ranks: each once", ["base", "1_0", "2_0", "1_0.rank3"], [t["name"] for t in run["trials"]])
    tap.empty("graphs of ranks: the rank that fails is named", has(run, r"^The graph of \[1/0\] rank 3 fails alone, with"))
    tap.empty("graphs of ranks: a note says so", has(run, "^4 processes have such graphs", where="notes"))


def check_repro_interrupted(tap, place):
    endless = "print('at it', flush=True)\nimport time; time.sleep(100)\n"
    trace = write_trace(place.folder / "long", "print('good')", endless, "print()")
    out = place.folder / "interrupted"
    with subprocess.Popen([place.pt2trace, "run", "-o", str(out), "--repro", "all", "--python", sys.executable, str(trace)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=place.environment, text=True) as running:
        for line in running.stderr:
            if "trial 2" in line:
                time.sleep(1)
                running.send_signal(signal.SIGINT)
    run = json.loads((out / "run.json").read_text())
    tap.empty("Ctrl-C: what ended is counted", has(run, "^0 of the 1 graphs that ran fail alone"))
    tap.empty("... and what did not is reported", has(run, "^2 of the 3 graphs were not run to their end", where="notes"))


def check_repro_errors(tap, place):
    trace = write_trace(place.folder / "errors", "print('good')", None, None, hit=1)
    for id, pattern in [("7/0", "there is no compile 7/0; pt2trace show .* lists them"), ("1/0", "came from a cache"),
                        ("2/0", "does not have the graph as a program"), ("x", "needs the id of a compile")]:
        run, said = place.run("--repro", id, "--python", sys.executable, trace)
        tap.point(f"--repro {id}: it says what is wrong, and runs nothing", run is None and re.search(pattern, said), said)
    run, said = place.run("--repro", "0/0", "--python", sys.executable, trace, PYTHONPATH="/nowhere")
    if "cannot import torch" in said:
        tap.point("a Python without PyTorch is refused", run is None, said)
    else:
        tap.skip("a Python without PyTorch is refused", "this Python has PyTorch")


# --- PyTorch -------------------------------------------------------------------------------------------------------------


def check_torch(tap, place, source):
    python, why_not = torch_python(source)
    workloads = pathlib.Path(source, "tests", "run").resolve()
    names = ["PyTorch: a pass of the program's own is found", "PyTorch: wrong numbers are minified to one operator",
             "PyTorch: the graph alone has wrong numbers"]
    if not python:
        for name in names:
            tap.skip(name, why_not)
        return
    torch = {"PYTHONPATH": "", "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    run, said = place.run("--bisect", "--", python, workloads / "bisect_pass.py", **torch)
    tap.empty(names[0], has(run, "^It fails from backend `inductor` on", "^The fault goes away without application [0-9]+ of subsystem `post_grad_passes`"))
    run, said = place.run("--minify", "--", python, workloads / "minify_relu.py", "accuracy", **torch)
    repro = place.out / "minify" / "repro.py"
    text = repro.read_text() if repro.exists() else ""
    tap.empty(names[1], has(run, "fails in the same way, with .*AccuracyError") + [text] * (
        re.findall(r"torch\.ops\.aten\.(\w+)", text) != ["relu"]))
    run, said = place.run("--repro", "0/0", "--why", "accuracy", "--python", python, place.out / "base" / "trace", **torch)
    tap.empty(names[2], has(run, r"^The graph of \[0/0\] fails alone, with .*AccuracyError"))


# --- bugs of PyTorch -----------------------------------------------------------------------------------------------------

# Program of tests/run/bugs, how it is looked for, and what has to be concluded.
BUGS = [
    ("flip_repeat", ["--bisect", "--check", "values (.*)"], [
        "^It gives another result from backend `inductor` on", "application [0-9]+ of subsystem `lowerings` .*: `rev`"]),
    ("flip_repeat", ["--minify", "--check", "values (.*)"], ["By itself it fails in the same way, with AccuracyError"]),
    ("tensor_of_size", ["--bisect", "--check", "numbers ([0-9]+)"], ["^It gives another result from backend `eager` on"]),
    ("moved_to_end", ["--bisect", "--check", "order (.*)"], ["^It gives another result from backend `eager` on"]),
    ("masked_softmax", ["--minify"], ["By itself it fails in the same way, with .*InductorError"]),
    ("take_permuted", ["--bisect"], ["^It fails from backend `inductor` on"]),
    ("spec_of_method", ["--ablate"], ["^It fails from `dynamo` on: the fault is in Dynamo"]),
    ("view_of_alias", ["--ablate"], ["^It fails from `aot_eager` on: the fault is in AOTAutograd"]),
    ("stride_lost", ["--bisect", "--check", "values (.*)"], ["^It gives another result from backend `aot_eager` on"]),
    ("alias_unseen", ["--bisect", "--check", "values (.*)"], ["^It gives another result from backend `aot_eager` on"]),
    ("view_resized", ["--bisect", "--check", "numbers (.*)"], [
        "^It gives another result from backend `inductor` on", "joint_graph_passes, post_grad_passes.*, each alone: .* or in two of them"]),
]


def check_bugs(tap, place, source, only):
    """Of this version: a newer one may have mended them."""
    python, why_not = torch_python(source)
    for name, options, wanted in BUGS:
        point = f"{name}, {options[0]}: the fault is found"
        if only and name not in only:
            continue
        if not python:
            tap.skip(point, why_not)
            continue
        run, said = place.run(*options, "--", python, pathlib.Path(source, "tests", "run", "bugs", f"{name}.py").resolve(),
                              PYTHONPATH="", TORCHINDUCTOR_COMPILE_THREADS="1")
        tap.empty(point, has(run, *wanted) if run else [said])


PLANTED = (check_applications, check_others, check_nothing, check_ways, check_stale, check_minify, check_minify_ways, check_repro,
           check_repro_ranks, check_repro_interrupted, check_repro_errors)


def main(pt2trace, source, which, *only):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-bisect-") as temp:
        place = Place(pt2trace, source, temp)
        for check in PLANTED if which == "planted" else ():
            check(tap, place)
        if which == "torch":
            check_torch(tap, place, source)
        if which == "bugs":
            check_bugs(tap, place, source, only)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
