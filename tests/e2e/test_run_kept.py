#!/usr/bin/env python3
"""What `pt2trace run` prints and writes, for each procedure and each way in which it ends, to the byte. Prints TAP.

usage: test_run_kept.py PT2TRACE SOURCE [--write] KIND... [NAME...]

Of the kinds all runs, or those alone that are named.

The programs are stand-ins, without PyTorch: a table says what each trial does. Whether PyTorch behaves so, other tests ask
(test_run_torch.py, test_run_bisect.py). This one notices each sentence, launch and file that comes or goes: read the difference
of `--write` before you commit it. tests/cases/runs/NAME has what is kept; what depends on the machine is left out.
"""

import difflib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import test_run_bisect as planted
import test_run_fix as stand_in
from kept_facts import entries, not_empty
from program import passed_on
from tap import Tap

HERE = pathlib.Path(__file__).resolve().parent
RUNS = HERE.parent / "cases" / "runs"

# What a trial does is in the table, by the trial's name; `*` is for all that have no entry.
STAGES = """
import gzip, json, os, pathlib, re, signal, stat, sys, time
import torch
TABLE = json.load(open("table.json"))
for call in TABLE.get("calls", [{}]):
    torch.compile(print, **call)
folder = pathlib.Path(os.environ.get("TORCH_TRACE", "untraced/trace"))
does = {"trace": "hello", "say": "loss 0.25", **TABLE["trials"].get("*", {}), **TABLE["trials"].get(folder.parent.name, {})}
if does["trace"] and "TORCHDYNAMO_DISABLE" not in os.environ:
    folder.mkdir(parents=True, exist_ok=True)
    for file in pathlib.Path(TESTDATA, does["trace"]).rglob("dedicated_log_torch_trace_*"):
        text = (gzip.open if file.suffix == ".gz" else open)(file, "rt").read()
        text = re.sub(r"^(V[0-9]{4} [0-9:.]+ )[0-9]+ ", rf"\\g<1>{os.getpid()} ", text, flags=re.M)
        text = text.replace("/home/user/work/draft_export.py", os.path.abspath("checked.py"))
        (folder / file.name.removesuffix(".gz")).write_text(text)
if "import" in does:
    __import__(does["import"])
for name in does.get("read", []):
    if os.path.exists(name):
        open(name).read()
if "given" in does:
    kind = "a file" if stat.S_ISREG(os.fstat(0).st_mode) else "a pipe"
    print(kind, "at", os.lseek(0, 0, os.SEEK_CUR) if kind == "a file" else 0, "with", len(sys.stdin.read()), "bytes", flush=True)
for name in does.get("write", []):
    pathlib.Path(name).write_text(does["say"])
print(does["say"], flush=True)
time.sleep(does.get("sleep", 0))
if "complain" in does:
    sys.stderr.write("pt2trace: " + does["complain"] + "\\n")
if "signal" in does:
    os.kill(os.getpid(), does["signal"])
if "raise" in does:
    raise type(does["raise"], (Exception,), {"__module__": "torch._dynamo.exc"})("no")
sys.exit(does.get("status", 0))
"""
FAILS, WRONG, WORKS = {"status": 1}, {"say": "loss 0.75"}, {"status": 0}
CHECK = ["--check", "loss ([0-9.]+)"]
LADDER = ["dynamo", "aot_eager", "aot_eager_decomp_partition"]
BASES = ["base", "base.2"]


def bad(how, *names):
    return {name: how for name in (*BASES, *names)}


def modes(*names):
    return [f"mode-{name}" for name in names]


# Name: options, what the trials do, the calls of torch.compile.
ABLATIONS = {
    "clean": ([], {}, [{}]),
    "clean-checked": (CHECK, {}, [{"mode": "reduce-overhead", "dynamic": True}]),
    "dynamo": ([], bad(FAILS, *LADDER, "dynamic-none", "dynamic-true"), [{"dynamic": False}]),
    "aot": ([], bad({"raise": "TorchRuntimeError"}, *LADDER[1:], *modes("default", "reduce-overhead", "max-autotune"), "dynamic-true"), [{}]),
    "partition": (CHECK, bad(WRONG, LADDER[2], "dynamic-true", "dynamic-false"), [{}, {"backend": "eager"}]),
    "inductor": ([], bad(FAILS, *modes("default", "max-autotune"), "dynamic-false", "dynamic-true"), [{"mode": "max-autotune-no-cudagraphs"}]),
    "numbers": (CHECK, bad(WRONG, "fallback-random", *modes("reduce-overhead"), "dynamic-true"), [{"options": {"a": 1}}]),
    "random": (CHECK, bad(WRONG, *modes("reduce-overhead", "max-autotune"), "dynamic-true", "dynamic-false"), [{"mode": "default"}]),
    "recovers": ([], bad(FAILS, "dynamo", "aot_eager_decomp_partition"), [{}]),
    "elsewhere": ([], {"mode-max-autotune": FAILS, "dynamic-true": {"signal": 11}}, [{}]),
    "no-calls": ([], bad(FAILS), []),
    "program": ([], {"*": FAILS}, [{}]),
    "flaky": (["--time-limit", "60"], {"base": FAILS}, [{}]),
    "flaky-numbers": (CHECK, {"base": WRONG}, [{}]),
    "flaky-eager": ([], {"base": FAILS, "eager": FAILS}, [{}]),
    "differing-eager": (CHECK, {"base": WRONG, "eager.2": WRONG}, [{}]),
    "resumes": ([], {"base": {**FAILS, "write": ["state.txt"]}, "*": {"read": ["state.txt"]}}, [{}]),
    "resumes-eager": (CHECK, {"base": WRONG, "eager": {"write": ["ckpt/a.txt", "ckpt/b.txt"]},
                              "eager.2": {**WRONG, "read": ["ckpt/a.txt", "ckpt/b.txt"]}}, [{}]),
    "nothing-compared": (["--check", "never ([0-9.]+)"], {}, [{}]),
    "nothing-compiled": ([], {"*": {"trace": None, **FAILS}}, [{}]),
    "hangs": (["--time-limit", "2s"], bad({"sleep": 60}), [{"dynamic": True}]),
}
RERUNS = {
    "repeats": (["--repeats", "3"], {"base.3": {"trace": "recompiles"}}),
    "repeats-differ": (["--repeats", "3", *CHECK], {"base.2": WRONG}),
    "repeats-fail": (["--repeats", "3"], {"base.2": {"signal": 9}, "base.3": {"status": 7}}),
    "what-if": (["--backend", "eager", "--fullgraph", "--dynamic", "true"], {"what-if": {"trace": "recompiles"}}),
    "what-if-fails": (["--mode", "max-autotune", "--recompile-limit", "3"], bad(FAILS, "what-if")),
    "what-if-numbers": (["--backend", "none", *CHECK], {"what-if": WRONG}),
    "warm": (["--warm"], {}),
    "input-of-a-pipe": (["--repeats", "3"], {"*": {"given": True}}),
    "input-of-a-file": (["--repeats", "2"], {"*": {"given": True, "from": "a file"}}),
    "question": (["--why", "recompiles"], {"*": {"trace": "recompiles"}}),
}
VARIANTS = """command: PYTHON stages.py
bisect-variants: BISECT
repeats: REPEATS
variants:
  - {name: one, environment: {A: 1}}
  - {name: two, backend: aot_eager}
  - {name: three, mode: max-autotune, config: torch._inductor.config.x=1}
  - {name: four, disable: a.f, recompile-limit: 3}
"""
CHANGING = {
    "variants": ("false", "1", {"two": FAILS, "three": {"trace": "graph_breaks"}, "four": {"signal": 6}}),
    "variants-repeats": ("false", "2", {"one": {"trace": "recompiles"}}),
    "variants-failing-base": ("false", "1", {"*": FAILS, "three": WORKS}),
    "halving": ("true", "1", {"three": FAILS, "four": FAILS}),
    "halving-first": ("true", "1", {"one": FAILS, "two": FAILS, "three": FAILS, "four": FAILS}),
    "halving-none": ("true", "1", {}),
    "halving-base": ("true", "1", {"*": FAILS}),
    "halving-back": ("true", "1", {"one": FAILS}),
    "not-applied": ("true", "1", {"four": {"status": 3}, "three": {"status": 97, "complain": "PT2TRACE_CONFIG: x: no"}}),
}
INDUCTOR = {"backend": "inductor"}
BISECTIONS = {
    "lowerings": ([], {**INDUCTOR, "subsystem": "lowerings", "number": 4}),
    "first": (CHECK, {**INDUCTOR, "subsystem": "lowerings", "number": 0, "how": "number"}),
    "setting": ([], {**INDUCTOR, "subsystem": "inductor_fallback_random"}),
    "setting-of-aot": ([], {"backend": "aot_eager_decomp_partition", "subsystem": "aot_eager_decomp_partition_cse"}),
    "eager": ([], {"backend": "eager"}),
    "several": ([], {**INDUCTOR}),
    "crossref": ([], {**INDUCTOR, "crossref": True}),
    "none": ([], {"backend": "nowhere"}),
    "own": ([], {"backend": "own"}),
    "flaky": ([], {**INDUCTOR, "subsystem": "lowerings", "number": 2, "flaky": True}),
    "other": ([], {**INDUCTOR, "subsystem": "lowerings", "number": 2, "other": True}),
    "nameless": ([], {**INDUCTOR, "subsystem": "lowerings", "number": 3, "nameless": True}),
}
ERROR, LAUNCHER = planted.ERROR, planted.LAUNCHER
KILL = "import os; os.kill(os.getpid(), 11)\n"
ACCURACY = ERROR.replace("_inductor.exc", "_dynamo.debug_utils").replace("InductorError", "AccuracyError")


def launcher(repro, isolate="--no-isolate"):
    return LAUNCHER.format(isolate=isolate, repro=repro)


# Name: after what and at which level the program leaves a launcher, the launcher, how the program fails.
MINIFICATIONS = {
    "aot": (["aot", "2"], launcher(ERROR), ERROR),
    "dynamo": (["dynamo", "2"], launcher(ERROR), ERROR),
    "works": (["aot", "2"], launcher("pass\n"), ERROR),
    "otherwise": (["aot", "2"], launcher("import sys; sys.exit(3)\n"), ERROR),
    "not-alone": (["aot", "2"], "raise RuntimeError('Input graph did not fail the tester')\n", ERROR),
    "no-graph": (["never", "2"], "", ERROR),
    "crash": (["aot", "3"], launcher(KILL, "--isolate"), KILL),
    "crash-dynamo": (["dynamo", "3"], launcher(KILL, "--isolate"), KILL),
    "numbers": (["aot", "4"], launcher(ACCURACY), "sys.exit(1)\n"),
    "numbers-dynamo": (["dynamo", "4"], launcher(ERROR), "sys.exit(1)\n"),
    "nothing": (["aot", "2"], "", ""),
    "symbols": (["aot", "2"], planted.SYMBOLIC.replace("REPRO", repr(planted.REPRO.replace("FAIL", ERROR))), ERROR),
    "symbols-lost": (["aot", "2"], "\"reader.symint(2)\"\n" + launcher(ERROR), ERROR),
}
GOOD, BAD_GRAPH = "print('good')\n", "import os\nos.environ['TORCH_TRACE'] = '/nowhere'\n" + ERROR
SYMBOLS = "print('tracing_mode=\\'symbolic\\'')\n"
# Name: which graph, options, the graphs of the trace, which compile has only a hit of a cache, the error of the trace.
REPROS = {
    "works": ("0/0", [], [GOOD], None),
    "fails": ("1/0", [], [GOOD, BAD_GRAPH], None),
    "all": ("all", [], [GOOD, BAD_GRAPH, planted.CUDA, None], 3),
    "all-fail": ("all", [], [BAD_GRAPH, ERROR, ERROR, SYMBOLS], None),
    "two": ("all", [], [GOOD, ERROR], None),
    "away": ("all", [], [planted.CUDA, planted.CUDA], None),
    "hits": ("all", ["--why", "accuracy"], [GOOD, None, None], 2),
    "none": ("7/0", [], [GOOD], None),
    "hit": ("1/0", [], [GOOD, None], 1),
    "no-graph": ("1/0", [], [GOOD, None], None),
    "no-id": ("x", [], [GOOD], None),
}
FIXES = {
    "one": ([], {}),
    "limit": (["--fix-limit", "2", *CHECK], {}),
    "pair": ([], {"name": '"graph_breaks"', "fails": "sum(ALONE) == 3", "fewer": "4 * sum(ALONE)"}),
    "triple": ([], {"name": '"graph_breaks"', "fails": "False", "fewer": "2 * sum(ALONE)"}),
    "rivals": ([], {"name": '"graph_breaks"', "fails": "sum(ALONE) > 1", "fewer": "[0, 2, 3, 4][ALONE.index(True) + 1 if any(ALONE) else 0]"}),
    "two-rivals": ([], {"name": '"graph_breaks"', "fails": "ALONE[0] and ALONE[1] or ALONE[2]", "fewer": "3 * sum(ALONE[:2])"}),
    "failing": ([], {"name": '"graph_breaks"', "fails": "not ALONE[1]", "fewer": "0"}),
    "hopeless": ([], {"name": '"graph_breaks"', "fails": "True", "fewer": "0"}),
}
STAGED_FIXES = {
    "fewer": ([], {"*": {"trace": "deep"}, "fix-1": {"trace": "hello"}}),
    "faster": ([], {"*": {"trace": "deep"}, "fix-1": {"trace": "dist_late"}, "fix-1.2": {"trace": "dist_late"}}),
    "faster-once": ([], {"*": {"trace": "deep"}, "fix-1": {"trace": "dist_late"}}),
    "settings": ([], {"*": {"trace": "inductor_settings"}, "fix-1": {"trace": "hello"}, "fix-2": FAILS, "fix-3": WRONG}),
    "variable": ([], {"*": {"trace": "recompiles"}, "fix-1": {"trace": "hello"}, "fix-2": {"trace": "hello"}, "fixes": {"trace": "hello"}}),
    "statement": ([], {"*": {"trace": "draft_export", "import": "checked"}, "fix-1": {"trace": "hello"}}),
    "statement-not-reached": ([], {"*": {"trace": "draft_export"}, "fix-1": {"trace": "hello"}}),
    "fails": (CHECK, {"*": {"trace": "recompiles", **FAILS}, "fix-1": WORKS, "eager": WORKS, "eager.2": WORKS}),
    "fails-eager": ([], {"*": {"trace": "recompiles", **FAILS}, "fix-1": WORKS}),
    "unsteady": (CHECK, {"*": {"trace": "recompiles"}, "base.2": WRONG}),
    "hangs": (["--time-limit", "2s"], {"*": {"trace": "recompiles", "sleep": 60}}),
    "slow-fix": (["--time-limit", "12s"], {"*": {"trace": "recompiles"}, "fix-1": {"trace": "hello", "sleep": 60}}),
    "caches": ([], {"*": {"trace": "caches_cold"}, "fix-1": {"trace": "hello"}}),
    "twice": ([], {"*": {"trace": "recompile_limit"}, "fix-1": {"trace": "hello"}}),
}
VERSIONS = """command: PYTHON stages.py
variants:
  - {name: old, python: PYTHON}
  - {name: middle, python: PYTHON}
  - {name: new, python: PYTHON}
  - {name: newest, python: PYTHON}
"""
COMPARING = {
    "versions": {"old": FAILS, "newest": {"signal": 9}},
    "versions-alike": {},
}


# What the stand-in of test_run_fix.py has no need of.
INDUCTOR_CONFIG = {"torch/_inductor/config.py": "fallback_random = False\nx = 0\n", "torch/_inductor/__init__.py": "from . import config\n",
                   "torch/__init__.py": "from . import _inductor, compiler\n_check = bool\n", "torch/compiler/__init__.py": "from . import config\n",
                   "torch/compiler/config.py": "dynamic_sources = ''\n",
                   "torch/_dynamo/config.py": "recompile_limit = cache_size_limit = accumulated_recompile_limit = 8\n"}


# --- what is kept of a run --------------------------------------------------------------------------------------------

# Of a trial they differ each time; which of them are unknown does not.
MEASURED = ("start_us", "wall_us", "peak_bytes", "pid")
DROPPED = {"devices", "workload_file", "workload", "schema", "version"}


def lean(value):
    """Without what is empty."""
    if isinstance(value, dict):
        unknown = [key for key in MEASURED if key in value and value[key] is None]
        return not_empty({"unknown": unknown, **{key: lean(member) for key, member in value.items() if key not in MEASURED}})
    return [lean(member) for member in value] if isinstance(value, list) else value


def of_json(run):
    for key, entry in entries(run, DROPPED, lean):
        yield f"{key}: {entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)}\n"


def files(out):
    """Their names, and the text of those that we write for people and for PyTorch."""
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        name = str(path.relative_to(out))
        if name == "run.json":
            yield "--- run.json\n" + "".join(of_json(json.loads(path.read_text())))
        elif re.match(r"workload.yaml|fixes\.|minify/|repro/", name) and "log/" not in name and not name.endswith(".jsonl"):
            yield f"--- {name}\n{path.read_text()}"
        elif not name.startswith(("hook/", "report/")) and not re.search(r"torch_compile_debug|/trace/|/stacks/", name):
            yield f"--- {name}\n"


class Place(planted.Place):
    """A directory with the programs, a stand-in for PyTorch, and what is kept of a run in it."""

    def __init__(self, pt2trace, source, temp):
        super().__init__(pt2trace, source, temp)
        self.testdata = pathlib.Path(source, "testdata").resolve()
        self.write("checked.py", "import torch\nlength = 3" + "\n" * 22 + "long = length > 2\n")  # as in line 24 of draft_export.py
        self.write("stages.py", STAGES.replace("TESTDATA", repr(str(self.testdata))))
        for name, text in {**stand_in.TORCH, **INDUCTOR_CONFIG}.items():
            self.write(f"stand-in/{name}", stand_in.TORCH.get(name, "") + text if name in INDUCTOR_CONFIG else text)
        (self.folder / "ckpt").mkdir()
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder / "tmp"), "LC_ALL": "C.UTF-8",
                            "COLUMNS": "1000", "PYTHONPATH": str(self.folder / "stand-in"), **passed_on()}

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def plain(self, text):
        """Without what depends on the machine."""
        for value, word in ((self.pt2trace, "pt2trace"), (str(self.folder), "HERE"), (sys.executable, "PYTHON"),
                            (os.path.realpath(sys.executable), "PYTHON"), (platform.python_version(), "3.X.Y"), (str(self.testdata), "TESTDATA")):
            text = text.replace(value, word)
        text = re.sub(r"\b([0-9.]+ to )?[0-9]+(\.[0-9]+)? ?(s|ms|min)\b", "N s", text)
        text = re.sub(r"\b[0-9]+(\.[0-9]+)? (B|kB|MB|GB)\b", r"N bytes", text)
        text = re.sub(r"\b0x[0-9a-f]{8,}", "0xN", text)
        return re.sub(r"\b(pid[ .]?|pt2trace-(?=\w{6}\b))\w+", r"\1N", text)

    def kept(self, words, from_file=False, **environment):
        """More is given than a pipe holds; a file is read from where it stands."""
        out, given = self.folder / "out", "12345" * 60000
        self.write("given.txt", given)
        with open(self.folder / "given.txt", encoding="utf-8") as file:
            os.lseek(file.fileno(), 7, os.SEEK_SET)
            done = subprocess.run([self.pt2trace, "run", "--no-browser", "--color", "never", "-o", "out", *map(str, words)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, timeout=300, cwd=self.folder, env={**self.environment, **environment},
                                  check=False, **({"stdin": file} if from_file else {"input": given}))
        shown = re.sub(r"(?s)\nWhere the time went\n.*(?=\nReport )", "", done.stderr)
        said = f"--- standard output\n{done.stdout}--- standard error\n{shown}exit {done.returncode}\n"
        return self.plain(said + "".join(files(out) if out.exists() else ()))


def ablation(place, options, trials, calls):
    place.write("table.json", json.dumps({"trials": trials, "calls": calls}))
    return place.kept(["--ablate", *options, "--", sys.executable, "stages.py"])


def rerun(place, options, trials):
    place.write("table.json", json.dumps({"trials": trials}))
    return place.kept([*options, "--", sys.executable, "stages.py"], from_file="from" in trials.get("*", {}))


def changing(place, bisect, repeats, trials):
    place.write("table.json", json.dumps({"trials": trials}))
    place.write("job.yaml", VARIANTS.replace("PYTHON", sys.executable).replace("BISECT", bisect).replace("REPEATS", repeats))
    return place.kept(["-c", "job.yaml"])


def bisection(place, options, fault):
    return place.kept(["--bisect", *options, "--", sys.executable, "program.py", json.dumps(fault)], PYTHONPATH=str(place.folder / "new"))


def minification(place, left, text, fault):
    state = json.dumps({"left": left, "launcher": text, "fault": fault})
    return place.kept(["--minify", "--", sys.executable, "minified.py", state], PYTHONPATH=str(place.folder / "new"))


def repro(place, which, options, graphs, hit):
    trace = planted.write_trace(place.folder / "graphs", *graphs, hit=hit)
    return place.kept(["--repro", which, *options, "--python", sys.executable, trace])


def fix(place, options, program):
    place.source = place.testdata.parent
    place.write("stub.py", stand_in.stub(place, **program))
    return place.kept(["--fix", *options, "--", sys.executable, "stub.py"])


def staged_fix(place, options, trials):
    return rerun(place, ["--fix", *options], trials)


def versions(place, *trials):
    place.write("table.json", json.dumps({"trials": dict(trials)}))
    place.write("job.yaml", VERSIONS.replace("PYTHON", sys.executable))
    return place.kept(["-c", "job.yaml"])


KINDS = {"ablate": (ablation, ABLATIONS), "run": (rerun, RERUNS), "variants": (changing, CHANGING), "bisect": (bisection, BISECTIONS),
         "minify": (minification, MINIFICATIONS), "repro": (repro, REPROS), "fix": (fix, FIXES), "staged": (staged_fix, STAGED_FIXES),
         "compare": (versions, {name: trials.items() for name, trials in COMPARING.items()})}


def one(pt2trace, source, kind, name):
    with tempfile.TemporaryDirectory(prefix="pt2trace-kept-") as temp:
        function, cases = KINDS[kind]
        return function(Place(pt2trace, source, temp), *cases[name])


def main(pt2trace, source, *words):
    tap = Tap()
    runs = {f"{kind}-{name}": (kind, name) for kind, (_, cases) in KINDS.items() for name in cases}
    chosen = set(words) & set(runs) or {run for run, (kind, _) in runs.items() if kind in words}
    for name in [name for name in runs if name in chosen]:
        path, text = RUNS / name, one(pt2trace, source, *runs[name])
        if "--write" in words:
            RUNS.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        tap.point(name, text == before, *difflib.unified_diff(before.splitlines(), text.splitlines(), "before", "now", lineterm="", n=0))
    tap.empty("every file is of a run", sorted({path.name for path in RUNS.iterdir()} - set(runs)))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
