#!/usr/bin/env python3
"""`pt2trace run` on programs that need no PyTorch: they leave a trace of testdata where TORCH_TRACE says. Writes TAP.

usage: test_run.py PT2TRACE SOURCE_ROOT

What a launch does to a program (environment, output, time limit, signals, directories) does not depend on what the
program compiles; test_run_torch.py has the rest. `torch` is a package of ours that records what the real one would.
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

TORCH = """
__version__ = "2.13.0+fake"
class version:
    git_version = "0000000"
    cuda, hip = "13.0", None
class cuda:
    device_count = staticmethod(lambda: 0)
"""
INTERNAL = """
class log_registry:
    log_alias_to_log_qnames = {"dynamo": []}
    artifact_names = {"graph_breaks", "recompiles"}
"""
# Leaves the trace of a workload of testdata, as if it had been compiled here.
PROGRAM = """
import json, os, pathlib, shutil, sys
trace = pathlib.Path(os.environ["TORCH_TRACE"])
trace.mkdir(parents=True)
for file in pathlib.Path(TESTDATA, sys.argv[1]).rglob("dedicated_log_torch_trace_*"):
    shutil.copy(file, trace / file.name)
names = ["TORCH_LOGS", "PYTHONUNBUFFERED", "MINE", "TAKEN", "CUDA_VISIBLE_DEVICES", "TORCHINDUCTOR_CACHE_DIR",
         "TORCHDYNAMO_VERBOSE", "TORCHDYNAMO_DISABLE", "TORCH_TRACE"]
print("environment", json.dumps({name: os.environ.get(name) for name in names}))
print("in", os.getcwd(), "with", sys.argv[2:])
print("loss", 0.25, flush=True)
sys.exit(int(os.environ.get("STATUS", 0)))
"""


class Place:
    """A directory with a program, and what pt2trace makes of it."""

    def __init__(self, pt2trace, source):
        self.pt2trace, self.testdata = pathlib.Path(pt2trace).resolve(), pathlib.Path(source, "testdata").resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pt2trace-run-"))
        (self.folder / "lib" / "torch" / "_logging").mkdir(parents=True)
        (self.folder / "lib" / "torch" / "__init__.py").write_text(TORCH)
        (self.folder / "lib" / "torch" / "_logging" / "__init__.py").write_text("")
        (self.folder / "lib" / "torch" / "_logging" / "_internal.py").write_text(INTERNAL)
        self.write("program.py", PROGRAM.replace("TESTDATA", repr(str(self.testdata))))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("TORCH")}
        self.environment["PYTHONPATH"] = str(self.folder / "lib")

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run(self, *words, **more):
        return subprocess.run([str(self.pt2trace), "run", *map(str, words)], capture_output=True, text=True, timeout=300,
                              cwd=self.folder, env={**self.environment, **more})

    def json(self, name):
        return json.loads((self.folder / name).read_text())

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def environment_of(output):
    line = next(line for line in output.splitlines() if line.startswith("environment "))
    return json.loads(line.split(" ", 1)[1])


def a_plain_run(tap, place):
    done = place.run("python3", "program.py", "graph_breaks", "--a", "b c")
    tap.equal("a run that works exits with 0", 0, done.returncode)
    tap.point("standard output is the program's alone", done.stdout.endswith("loss 0.25\n"), done.stdout)
    tap.point("words after the command are the program's", "['--a', 'b c']" in done.stdout, done.stdout)
    tap.point("the summary goes to standard error", done.stderr.startswith("Read ") and "graph breaks" in done.stderr, done.stderr)
    tap.point("the report's place comes last", "pt2trace_run/report/index.html" in done.stderr.rpartition("\nReport ")[2], done.stderr)
    out = place.folder / "pt2trace_run"
    tap.equal("what is written", ["base", "hook", "report", "run.json", "workload.yaml"], sorted(p.name for p in out.iterdir()))
    tap.equal("output is kept", done.stdout, (out / "base/log/console.out").read_text())
    given = environment_of(done.stdout)
    tap.equal("TORCH_TRACE is of the trial", str((out / "base/trace").resolve()), given["TORCH_TRACE"])
    tap.equal("the program's own TORCH_LOGS is left alone", None, given["TORCH_LOGS"])
    tap.equal("ours has what this PyTorch knows", {"TORCH_LOGS": "graph_breaks,recompiles"},
              place.json("pt2trace_run/run.json")["trials"][0]["environment"])
    tap.equal("caches stay as they are", None, given["TORCHINDUCTOR_CACHE_DIR"])
    report = place.json("pt2trace_run/report/report.json")
    plain = subprocess.run([str(place.pt2trace), "export", "--format", "json", str(place.testdata / "graph_breaks")],
                           capture_output=True, text=True, check=True)
    wanted = json.loads(plain.stdout)
    for key in ("totals", "graph_breaks", "recompiles", "errors"):
        tap.equal(f"the report has the {key} of the trace", wanted[key] | {"records": wanted[key]["records"] + 1}
                  if key == "totals" else wanted[key], report[key])
    trial = report["experiment"]["trials"][0]
    tap.equal("the trial ended", ("base", "exited", 0, False), tuple(trial[k] for k in ("name", "end", "status", "failed")))
    tap.equal("its numbers are the trace's", [wanted["totals"][k] for k in ("compiles", "graph_breaks", "recompiles", "errors")],
              [trial[k] for k in ("compiles", "graph_breaks", "recompiles", "errors")])
    tap.equal("versions were asked for", ("2.13.0+fake", "13.0", f"{sys.version_info[0]}.{sys.version_info[1]}"),
              (report["experiment"]["torch"], report["experiment"]["cuda"], ".".join(report["experiment"]["python_version"].split(".")[:2])))


def nothing_is_overwritten(tap, place):
    place.run("-q", "python3", "program.py", "hello")
    tap.point("a second run has a directory of its own", (place.folder / "pt2trace_run.2/report/index.html").is_file())
    (place.folder / "full").mkdir()
    place.write("full/mine.txt", "mine")
    done = place.run("-o", "full", "python3", "program.py", "hello")
    tap.equal("a directory that is not empty is refused", 3, done.returncode)
    tap.point("and named", "full exists and is not empty" in done.stderr and "-o" in done.stderr, done.stderr)
    tap.equal("nothing in it was touched", ["mine.txt"], [p.name for p in (place.folder / "full").iterdir()])


def another_python(tap, place):
    """A command need not show which interpreter it ends in: the program itself does."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place.folder / "venv"], check=True)
    own = place.folder / "venv/bin/python"
    place.write("imports.py", "import torch\n")
    for name, words in (("shown", [own]), ("hidden", ["sh", "-c", 'venv/bin/python "$@"', "sh"])):
        done = place.run("-q", "-o", name, *words, "imports.py")
        found = place.json(f"{name}/run.json")["python"] if done.returncode == 0 else done.stderr
        tap.equal(f"another Python, {name}", str(own), str(found))


def failing(tap, place):
    done = place.run("-o", "fails", "--env", "STATUS=3", "python3", "program.py", "errors")
    tap.equal("a program that fails is an answer, and its status is ours", 3, done.returncode)
    tap.point("which is reported", "exit 3" in done.stderr, done.stderr)
    trial = place.json("fails/report/report.json")["experiment"]["trials"][0]
    tap.equal("and kept", (3, True), (trial["status"], trial["failed"]))
    tap.point("with the error that decided it", bool(trial["error"] and trial["stage"]), trial)
    tap.point("the stage is named", f"fails at {trial['stage']}" in " ".join(done.stderr.split()), done.stderr)
    done = place.run("-q", "-o", "fails2", "--exit-zero", "--env", "STATUS=3", "python3", "program.py", "errors")
    tap.equal("--exit-zero takes it for an answer; -q is silent", (0, ""), (done.returncode, done.stderr))
    tap.point("and leaves the program's output alone", "loss 0.25" in done.stdout, done.stdout)
    place.write("crash.py", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    done = place.run("-o", "crash", "python3", "crash.py")
    tap.equal("a signal is 128 and its number", 128 + signal.SIGSEGV, done.returncode)
    tap.equal("and is reported", ("signaled", signal.SIGSEGV),
              tuple(place.json("crash/run.json")["trials"][0][k] for k in ("end", "signal")))
    tap.point("a report is there without a trace", (place.folder / "crash/report/index.html").is_file(), done.stderr)
    for words, status, error in ((["there-is-none"], 127, "there-is-none: "), ([], 2, "nothing to run"),
                                (["--why", "not", "x"], 2, "no such question: not"),
                                (["-C", "nowhere", "x"], 3, "nowhere: No such file"),
                                (["--repeats", "0", "x"], 2, "--repeats must be a number"),
                                (["--env", "=1", "x"], 2, "--env needs NAME=VALUE"),
                                (["--time-limit", "never", "x"], 2, "--time-limit must be a time"),
                                (["-c", "none.yaml"], 3, "none.yaml: No such file")):
        done = place.run("-o", "refused", *words)
        tap.point(f"{' '.join(words) or 'nothing'} leaves nothing behind", not (place.folder / "refused").exists())
        tap.point(f"{' '.join(words) or 'nothing'} is refused", done.returncode == status and error in done.stderr, done.stderr)


def settings(tap, place):
    done = place.run("-o", "set", "--env", "MINE=a b", "--env", "TAKEN", "--gpus", "1,2", "--cold", "--torch-logs", "+dynamo",
                     "--", "python3", "program.py", "hello", TAKEN="there")
    given = environment_of(done.stdout)
    cache = given.pop("TORCHINDUCTOR_CACHE_DIR")
    tap.equal("variables are set and taken out", ("a b", None, "1,2"),
              tuple(given[k] for k in ("MINE", "TAKEN", "CUDA_VISIBLE_DEVICES")))
    tap.equal("logs are asked for as they were named", "+dynamo", place.json("set/run.json")["trials"][0]["environment"]["TORCH_LOGS"])
    tap.point("--cold gives a private cache, which is gone afterwards", cache and not os.path.exists(cache), cache)
    done = place.run("-o", "asked", "--why", "errors", "python3", "program.py", "errors")
    tap.equal("a question sets what it needs", "1", environment_of(done.stdout)["TORCHDYNAMO_VERBOSE"])
    tap.point("and leads the summary", "Asked     what fails?" in done.stderr, done.stderr)
    tap.equal("and stays in the report", "errors", place.json("asked/report/report.json")["experiment"]["question"])
    page = (place.folder / "asked/report/index.html").read_text()
    tap.point("the page answers it", "Question: what fails?" in page and 'href="#finding-error' in page)
    done = place.run("-o", "ours", "--why", "errors", "python3", "program.py", "errors", TORCHDYNAMO_VERBOSE="0", TORCH_LOGS="dynamo")
    tap.equal("what the user set stays", ("0", "dynamo"),
              tuple(environment_of(done.stdout)[k] for k in ("TORCHDYNAMO_VERBOSE", "TORCH_LOGS")))


EVERY = """command:
  - "python3"
  - "program.py"
  - "hello"
directory: "FOLDER"
python: "python3"
environment:
  A: "1"
unset:
  - B
time-limit: 120
gpus: "0"
caches: cold
why: "cache"
torch-logs: "dynamo"
fix-limit: 3
variants:
  - name: "what-if"
    backend: "eager"
    mode: "default"
    dynamic: false
    fullgraph: true
    recompile-limit: 5
    disable: "a.f"
    config: "torch._inductor.config.x=1"
checks:
  - output: "loss (.*)"
    rtol: 0.5
    atol: 0.25
  - file: "result.txt"
    rtol: 0.5
    atol: 0.25
"""


TOGETHER = ["--backend", "eager", "--mode", "default", "--dynamic", "false", "--fullgraph",
            "--recompile-limit", "5", "--disable", "a.f", "--set", "torch._inductor.config.x=1", "--time-limit", "2min", "--gpus", "0",
            "--torch-logs", "dynamo", "--check", "loss (.*)", "--check-file", "result.txt", "--rtol", "0.5", "--atol", "0.25",
            "--env", "A=1", "--env", "B", "--fix-limit", "3", "--why", "cache", "--python", "python3", "--cold"]
# What excludes others, or starts many programs: alone, with the lines that it adds.
ALONE = {("--warm",): ["caches: warm"], ("--repeats", "2"): ["repeats: 2"], ("--ablate",): ["ablate: true"], ("--bisect",): ["bisect: true"],
         ("--minify",): ["minify: true"], ("--fix",): ["fix: true"], ("--gpu-activity", "kineto"): ['gpu-activity: "kineto"'],
         ("--launcher", "torchrun", "--ranks", "2"): ["launcher: torchrun", "ranks: 2"], ("--launcher", "none"): [], ("--dynamic", "true"):
         ["variants:", '  - name: "what-if"', "    dynamic: true"], ("--dynamic", "none"): ["variants:", '  - name: "what-if"', "    dynamic: none"]}
# They say what happens around the runs, not what is run; --gpu needs a GPU, --repro a trace.
AROUND = {"config", "output", "follow", "kill-after", "directory", "show-logs", "repro", "gpu", "exit-zero", "jobs", "no-browser", "quiet", "color",
          "help", "version"}


def every_option(tap, place):
    """Each is in the file that runs the same again."""
    place.run("-q", "-o", "every", *TOGETHER, "--", "python3", "program.py", "hello")
    written = (place.folder / "every/workload.yaml").read_text().split("\n", 1)[1]
    tap.equal("every option is in workload.yaml", EVERY.replace("FOLDER", str(place.folder.resolve())).splitlines(), written.splitlines())
    plain = ["command:", '  - "true"', f'directory: "{place.folder.resolve()}"']
    for words, lines in ALONE.items():
        done = place.run("-q", "-o", "alone", *words, "--", "true")
        path = place.folder / "alone/workload.yaml"
        tap.equal(f"{' '.join(words)} is in it", [*plain, *lines], path.read_text().splitlines()[1:] if path.exists() else done.stderr)
        shutil.rmtree(place.folder / "alone", ignore_errors=True)
    there = set(re.findall(r"^ +(?:-\w, )?--([\w-]+)", place.run("--help").stdout, re.M))
    tried = {word[2:] for word in [*TOGETHER, *(word for words in ALONE for word in words)] if word.startswith("--")}
    tap.equal("there is no other option", [], sorted(there ^ (tried | AROUND)))


def the_file_runs_the_same(tap, place):
    (place.folder / "sub").mkdir()
    shutil.copy(place.folder / "program.py", place.folder / "sub")
    place.write("job.yaml", "command: python3 program.py graph_breaks 'a b'\ndirectory: sub\nrepeats: 2\n"
                            "environment: {MINE: from the file}\nwhy: breaks\n")
    first = place.run("-c", "job.yaml", "-o", "first")
    again = place.run("-c", "first/workload.yaml", "-o", "again")
    tap.equal("a workload file runs", (0, 0), (first.returncode, again.returncode))
    tap.point("where it says", f"in {(place.folder / 'sub').resolve()} with ['a b']" in first.stdout, first.stdout)
    tap.equal("with what it sets", "from the file", environment_of(first.stdout)["MINE"])
    a, b = place.json("first/run.json"), place.json("again/run.json")
    tap.equal("the file that was written runs the same", [(t["name"], t["command"]) for t in a["trials"]],
              [(t["name"], t["command"]) for t in b["trials"]])
    tap.equal("its text is in the report, which may come by mail", (place.folder / "first/workload.yaml").read_text(),
              place.json("first/report/report.json")["experiment"]["workload"])
    tap.equal("repeats are trials", ["base", "base.2"], [t["name"] for t in a["trials"]])
    tap.point("and are compared", "2 runs took" in a["conclusions"][0], a["conclusions"])
    tap.equal("the same did the same", [], a["trials"][1]["changes"])
    place.write("bad.yaml", "command: x\nrepeat: 2\n")
    done = place.run("-c", "bad.yaml")
    tap.point("a wrong file is refused with its line", done.returncode == 2 and "bad.yaml:2: unknown key `repeat`" in done.stderr,
              done.stderr)


def variants(tap, place):
    place.write("job.yaml", """command: python3 program.py graph_breaks
variants:
  - {name: none, backend: none}
  - name: other
    environment: {STATUS: 4}
""")
    done = place.run("-c", "job.yaml", "-o", "variants")
    trials = place.json("variants/run.json")["trials"]
    tap.equal("each variant is a trial", ["base", "none", "other"], [t["name"] for t in trials])
    tap.equal("which is shown while it runs", "pt2trace: trial 2, none: without torch.compile\n",
              "".join(line for line in done.stderr.splitlines(True) if "trial 2" in line))
    tap.equal("what is different is in its environment", "1", trials[1]["environment"].get("TORCHDYNAMO_DISABLE"))
    tap.equal("a variant that fails does not end the others", [False, False, True], [t["failed"] for t in trials])
    tap.equal("and what each changed is reported", ["Without torch.compile nothing changes.",
                                                "With `other` it fails, unlike the base."],
              place.json("variants/run.json")["conclusions"])
    place.write("row.yaml", "command: python3 program.py hello\nbisect-variants: true\nvariants:\n" + "".join(
        f"  - name: v{i}\n    environment: {{STATUS: {int(i >= 6)}}}\n" for i in range(9)))
    place.run("-q", "-c", "row.yaml", "-o", "row")
    run = place.json("row/run.json")
    tap.point("variants in order are halved", len(run["trials"]) <= 7, [t["name"] for t in run["trials"]])
    tap.equal("the first that fails is found", ["The first that fails is `v6`; `v5` before it works."], run["conclusions"])
    first, second = (place.json(name) for name in ("variants/run.json", "variants/report/report.json"))
    tap.equal("the report has all trials", [t["name"] for t in first["trials"]],
              [t["name"] for t in second["experiment"]["trials"]])


CHECKED = PROGRAM.replace("sys.exit(", """loss = float(os.environ.get("LOSS", "0.25" if os.environ.get("TORCHDYNAMO_DISABLE") else "0.75"))
print("epoch loss", loss)
if "SILENT" not in os.environ:
    pathlib.Path("result.txt").write_text(f"loss: {loss}\\n")
sys.exit(""")


def checks(tap, place):
    """What a program prints and writes, against the first run, and against the run without torch.compile once there is one."""
    place.write("checked.py", CHECKED.replace("TESTDATA", repr(str(place.testdata))))
    place.write("job.yaml", """command: python3 checked.py hello
checks:
  - exit: 0
  - output: epoch loss ([0-9.]+)
    atol: 0.1
  - file: result.txt
  - output: never printed
variants:
  - {name: near, environment: {LOSS: 0.8}}
  - {name: far, environment: {LOSS: 0.25}}
  - {name: silent, environment: {SILENT: 1, STATUS: 2}}
""")
    place.run("-q", "-c", "job.yaml", "-o", "checked")
    trials = place.json("checked/run.json")["trials"]
    rows = {t["name"]: [(c["what"].split()[0], c["outcome"]) for c in t["checks"]] for t in trials}
    tap.equal("the first run only shows what finds nothing", [("exit", "same"), ("output", "not-compared")], rows["base"])
    tap.equal("within the tolerance, and beyond it", [("exit", "same"), ("output", "same"), ("file", "different"), ("output", "not-compared")],
              rows["near"])
    tap.equal("another result", [("exit", "same"), ("output", "different"), ("file", "different"), ("output", "not-compared")], rows["far"])
    detail = trials[2]["checks"][1]["detail"]
    tap.equal("with both values", "0.25 here, 0.75 in base (match 1); max abs difference 0.5, max rel 0.6667", detail)
    tap.equal("a file from before is not taken for one that was written", [("exit", "different"), ("output", "same"),
              ("file", "not-compared"), ("output", "not-compared")], rows["silent"])
    place.run("-q", "-o", "eager", "--check", "epoch loss ([0-9.]+)", "--backend", "none", "python3", "checked.py", "hello")
    trials = place.json("eager/run.json")["trials"]
    tap.equal("what the program does without torch.compile is right", ["0.75 here, 0.25 in what-if (match 1); max abs difference 0.5, max rel 2"],
              [c["detail"] for t in trials for c in t["checks"]])
    done = place.run("-o", "refused", "--check", "a(", "python3", "checked.py", "hello")
    tap.point("what is no expression is refused", done.returncode == 2 and "--check must be an extended" in done.stderr, done.stderr)


NUMPY = """import json
class lib:
    class npyio:
        NpzFile = dict
def load(path, allow_pickle):
    return json.load(open(path))
"""


def files_of_arrays(tap, place):
    """They are read by the Python of the program, in the environment of the workload: only there is a numpy."""
    (place.folder / "site").mkdir()
    place.write("site/numpy.py", NUMPY)
    program = CHECKED.replace("TESTDATA", repr(str(place.testdata)))
    place.write("arrays.py", program.replace("result.txt", "result.npy").replace("loss: {loss}", "[1, {loss}]"))
    place.write("arrays.yaml", f"""command: python3 arrays.py hello
environment: {{PYTHONPATH: '{place.folder}/lib:{place.folder}/site'}}
checks:
  - file: result.npy
variants:
  - {{name: same, environment: {{LOSS: 0.75}}}}
  - {{name: far, environment: {{LOSS: 0.25}}}}
""")
    place.run("-q", "-c", "arrays.yaml", "-o", "arrays")
    rows = [(c["outcome"], c["detail"]) for t in place.json("arrays/run.json")["trials"] for c in t["checks"]]
    tap.equal("files of arrays", [("same", "2 values"), ("different", "0.25 here, 0.75 in base ([1]); max abs difference 0.5, max rel 0.6667")], rows)


def endings(tap, place):
    place.write("hangs.py", PROGRAM.replace("TESTDATA", repr(str(place.testdata))).replace(
        "sys.exit(", "import time; time.sleep(600)\nsys.exit("))
    begun = time.monotonic()
    done = place.run("-o", "hangs", "--time-limit", "2s", "python3", "hangs.py", "hello")
    tap.point("a time limit ends a program that hangs", time.monotonic() - begun < 60, done.stderr)
    trial = place.json("hangs/run.json")["trials"][0]
    tap.equal("and says so", ("timed-out", True, True), (trial["end"], trial["failed"], trial["traced"]))
    tap.point("what was traced until then is reported", "1 compile" in done.stderr, done.stderr)
    tap.equal("the status is timeout(1)'s", 124, done.returncode)
    process = subprocess.Popen([str(place.pt2trace), "run", "-o", "stopped", "--repeats", "3", "python3", "hangs.py", "hello"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=place.folder,
                               env=place.environment)
    for _ in range(600):
        if (place.folder / "stopped/base/log/console.out").is_file() and "loss" in (
                place.folder / "stopped/base/log/console.out").read_text():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    tap.equal("Ctrl-C ends it, and what is to follow", (130, ["base"], "interrupted"),
              (process.returncode, *[[t["name"] for t in place.json("stopped/run.json")["trials"]],
                                     place.json("stopped/run.json")["trials"][0]["end"]]))
    tap.point("with a report", "1 compile" in err and (place.folder / "stopped/report/index.html").is_file(), err)
    tap.point("the program saw Ctrl-C", "KeyboardInterrupt" in (place.folder / "stopped/base/log/console.err").read_text())


def launchers(tap, place):
    """A launcher that starts plain processes: one trace each. torchrun's own is in test_run_torch.py."""
    (place.folder / "bin").mkdir()
    place.write("bin/mpirun", """#!/bin/sh
shift; n=$1; shift
for rank in $(seq 0 $((n - 1))); do RANK=$rank "$@" & done
wait
""")
    (place.folder / "bin" / "mpirun").chmod(0o755)
    place.write("rank.py", f"""import os, pathlib, shutil
trace = pathlib.Path(os.environ["TORCH_TRACE"])
trace.mkdir(parents=True, exist_ok=True)
for file in pathlib.Path({str(place.testdata)!r}, "ranks_branch").rglob(f"*rank_{{os.environ['RANK']}}_*"):
    shutil.copy(file, trace / file.name)
print("rank " + os.environ["RANK"] + "\\n", end="")  # one write: the ranks share a pipe
""")
    done = place.run("-o", "mpi", "--launcher", "mpirun", "--ranks", "4", "python3", "rank.py",
                     PATH=f"{place.folder / 'bin'}:{os.environ['PATH']}")
    tap.equal("mpirun starts as many as are asked for", [0, 1, 2, 3], place.json("mpi/report/report.json")["ranks"]["present"])
    tap.point("and the report compares them", "diverge" in done.stderr, done.stderr)
    logs = {path.parent.name: path.read_text() for path in (place.folder / "mpi/base/log/ranks").rglob("stdout.log")}
    tap.equal("what each writes is kept apart", {str(rank): f"rank {rank}\n" for rank in range(4)}, logs)
    tap.equal("and passed on", {f"rank {rank}" for rank in range(4)}, {line for line in done.stdout.splitlines() if line.startswith("rank ")})
    tap.equal("the command is reported without what keeps it apart", "mpirun -n 4 python3 rank.py",
              place.json("mpi/run.json")["trials"][0]["command"].split("recompiles ")[-1])


def reporting_again(tap, place):
    """The directory of a run is an input like others: its base, and what was noted of it."""
    done = subprocess.run([str(place.pt2trace), "report", "-q", "-o", "second", "variants/base", "variants/run.json"],
                          capture_output=True, text=True, cwd=place.folder, check=False)
    old, new = (place.json(f"{name}/report.json") for name in ("variants/report", "second"))
    tap.equal("a report can be made again", 0, done.returncode)
    for key in ("experiment", "findings", "graph_breaks"):
        tap.equal(f"with the same {key}", old[key], new[key])
    subprocess.run([str(place.pt2trace), "report", "-q", "-o", "whole", "variants"], cwd=place.folder, check=True)
    whole = place.json("whole/report.json")
    tap.equal("the whole directory gives the base's report", (old["totals"], old["findings"]), (whole["totals"], whole["findings"]))
    tap.point("and says why the rest is left", any("another trial" in (i["why_not"] or "") for i in whole["inputs"]))
    subprocess.run([str(place.pt2trace), "digest", "-q", "-o", "x.digest", "variants/base", "variants/run.json"],
                   cwd=place.folder, check=True)
    subprocess.run([str(place.pt2trace), "merge", "-q", "-o", "merged", "x.digest"], cwd=place.folder, check=True)
    tap.equal("and from a digest", old["experiment"], place.json("merged/report.json")["experiment"])
    hidden = subprocess.run([str(place.pt2trace), "export", "--format", "json", "--redact", "variants/base", "variants/run.json"],
                            capture_output=True, text=True, cwd=place.folder, check=True).stdout
    tap.point("--redact leaves no name of the user's", "program.py" not in hidden and place.folder.name not in hidden)
    (place.folder / "broken").mkdir()
    place.write("broken/run.json", '{"schema": "pt2trace-run",\n "version": 1, "trials": [')
    done = subprocess.run([str(place.pt2trace), "summary", "broken"], capture_output=True, text=True, cwd=place.folder, check=False)
    tap.point("a damaged run.json is reported", done.returncode == 4 and "not JSON" in done.stderr, done.stderr)


def main(pt2trace, source):
    tap, place = Tap(), Place(pt2trace, source)
    try:
        for part in (a_plain_run, nothing_is_overwritten, another_python, failing, settings, every_option, the_file_runs_the_same, variants, checks,
                     files_of_arrays, endings, launchers, reporting_again):
            part(tap, place)
    finally:
        place.remove()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
