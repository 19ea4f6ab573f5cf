#!/usr/bin/env python3
"""`pt2trace run --fix`: advice is put into programs, and what is said of it is true. Writes TAP.

usage: test_run_fix.py PT2TRACE SOURCE_ROOT [--long | PROGRAM...]

First a stand-in for torch, whose programs leave traces of testdata: what is done, in which order, and what is said. Then programs
of tests/run/fixes and of tests/advice under PyTorch, all of them with --long: each fix that is called verified is put into the source by hand, and the
program run again without pt2trace.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tap
from torch_python import torch_python

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "advice"))
import judge  # noqa: E402
import programs  # noqa: E402

QUICK = ["size_of_input", "int_attribute"]
ARROW = "\u2192"

TORCH = {
    "torch/__init__.py": "__version__ = '2.13.0+fake'\n"
                         "from . import _dynamo\n"
                         "class version:\n    git_version = '0000000'\n    cuda = hip = None\n"
                         "class cuda:\n    device_count = staticmethod(lambda: 0)\n"
                         "def compile(model=None, **call):\n    return model\n",
    "torch/_dynamo/__init__.py": "from . import config, eval_frame\nfrom .eval_frame import optimize\n",
    "torch/_dynamo/eval_frame.py": "def optimize(backend='inductor', **call):\n    return lambda f: f\n",
    "torch/_dynamo/config.py": "reorderable_logging_functions = set()\nignore_logging_functions = set()\n"
                               "capture_scalar_outputs = capture_dynamic_output_shape_ops = False\n",
    "torch/_logging/__init__.py": "",
    "torch/_logging/_internal.py": "class log_registry:\n    log_alias_to_log_qnames = {}\n    artifact_names = set()\n",
}
# The four settings that the report of this trace advises: one helps, one changes results, one ends the program, one does nothing.
STUB = """
import gzip, os, pathlib, random, re, sys
import torch
torch.compile(print)
config = torch._dynamo.config
ALONE = [print in config.reorderable_logging_functions, config.capture_scalar_outputs, config.capture_dynamic_output_shape_ops]
name = NAME
trace = pathlib.Path(os.environ["TORCH_TRACE"])
trace.mkdir(parents=True)
for file in pathlib.Path(TESTDATA, name).rglob("dedicated_log_torch_trace_*"):
    text = (gzip.open(file) if file.suffix == ".gz" else file.open("rb")).read().decode()
    for _ in range(FEWER):
        text = re.sub(r"(?m)^V.*graph_break_reason.*\\n(\\t.*\\n)*", "", text, count=1)
    (trace / file.name.removesuffix(".gz")).write_text(re.sub(r"(?m)^(V\\d{4} \\S+ )\\d+ ", r"\\g<1>%d " % os.getpid(), text))
print("step 1 took", random.random(), "s, loss", 0.5 if config.ignore_logging_functions else 0.25)
print("read", len(sys.stdin.read()), "bytes")
if FAILS:
    raise TypeError("not with scalars")
"""


def stub(place, name='"hello" if ALONE[0] else "graph_breaks"', fails="config.capture_scalar_outputs", fewer="0"):
    """Which trace it leaves, when it fails, how many graph breaks are missing in the trace."""
    return STUB.replace("TESTDATA", repr(str(place.source / "testdata"))).replace("NAME", name).replace("FAILS", fails).replace(
        "FEWER", fewer)


class Place:
    def __init__(self, pt2trace, source):
        self.pt2trace, self.source = pathlib.Path(pt2trace).resolve(), pathlib.Path(source).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pt2trace-fix-"))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("TORCH", "PT2TRACE"))}
        self.environment["OMP_NUM_THREADS"] = "1"

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def run(self, out, *words, given="", **more):
        return subprocess.run([str(self.pt2trace), "run", "--no-browser", "-o", out, *map(str, words)], capture_output=True,
                              text=True, timeout=3000, cwd=self.folder, input=given, env={**self.environment, **more})

    def json(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def outcomes(report):
    return {fix["finding"]: fix["outcome"] for fix in report["experiment"]["fixes"]}


def stand_in(tap, place):
    for name, text in TORCH.items():
        place.write(f"stand-in/{name}", text)
    program = stub(place)
    place.write("stub.py", program)
    path = str(place.folder / "stand-in")
    done = place.run("stub", "--fix", "--", sys.executable, "stub.py", given="12345", PYTHONPATH=path)
    report = place.json("stub/report/report.json")
    tap.equal("the program's own status is ours", 0, done.returncode)
    tap.equal("each has its outcome", {"break-print": "helps", "break-print-2": "results-differ", "break-branch": "not-tried",
                                       "break-item": "raises", "break-data-shape": "no-effect"},
              {k: v for k, v in outcomes(report).items() if not k.startswith("break-on-purpose")})
    tap.equal("each had a launch, beside two without", ["base", "base.2", "fix-1", "fix-2", "fix-3", "fix-4"],
              [t["name"] for t in report["experiment"]["trials"]])
    tap.point("all had the same input", all("read 5 bytes" in file.read_text() for file in place.folder.glob("stub/*/log/console.out")))
    by_id = {fix["finding"]: fix for fix in report["experiment"]["fixes"]}
    helps = by_id["break-print"]
    tap.equal("what was measured is shown", f"graph breaks 9 {ARROW} 0, compiles 18 {ARROW} 1; results the same", helps["measured"])
    tap.point("a time is no result, the loss beside it is", "0.5" in by_id["break-print-2"]["measured"], by_id["break-print-2"])
    tap.point("how it fails is shown", "TypeError: not with scalars" in by_id["break-item"]["measured"], by_id["break-item"])
    tap.equal("what is left for people has its reason", "the source must be changed by hand: the text is a pattern",
              by_id["break-branch"]["measured"])
    tap.equal("the best is kept", "# behind the imports, before the first compiled call\n"
                                  "+ torch._dynamo.config.reorderable_logging_functions.add(print)\n", report["experiment"]["patch"])
    findings = {f["id"]: f for f in report["findings"]}
    tap.equal("the finding knows it", ("helps", True, "fix-1"),
              tuple(findings["break-print"]["tried"][k] for k in ("outcome", "verified", "trial")))
    tap.equal("and one that was not tried", None, findings["break-branch"]["tried"])
    order = [f["id"] for f in report["findings"] if f["severity"] == "medium"]
    tap.equal("advice that fails stands behind the rest", ["break-item", "break-print-2"], sorted(order[-2:]))
    tap.point("the summary has it", "Verified here" in done.stderr and "reorderable_logging_functions" in done.stderr, done.stderr)
    tap.point("fixes.md too", f"graph breaks 9 {ARROW} 0" in (place.folder / "stub/fixes.md").read_text(encoding="utf-8"))
    tap.point("and the page", "Advice that was tried" in (place.folder / "stub/report/index.html").read_text(encoding="utf-8"))
    tap.equal("no file of the program has changed", program, (place.folder / "stub.py").read_text(encoding="utf-8"))
    bounds(tap, place, path)
    together(tap, place, path)


def bounds(tap, place, path):
    place.run("two", "--fix", "--fix-limit", "2", "--check", "loss ([0-9.]+)", "--", sys.executable, "stub.py", PYTHONPATH=path)
    report = place.json("two/report/report.json")
    tap.equal("--fix-limit ends it", 4, len(report["experiment"]["trials"]))
    tap.equal("which is reported", ["the maximum number of launches was reached; --fix-limit N allows more"],
              sorted({f["measured"] for f in report["experiment"]["fixes"] if f["finding"] in ("break-item", "break-data-shape")}))
    tap.equal("--check says what a result is", ["helps", "results-differ"], [outcomes(report)[k] for k in ("break-print", "break-print-2")])
    place.run("hidden", "--fix", "--", sys.executable, "-I", "-c",
              f"import sys; sys.path.insert(0, {path!r}); exec(open('stub.py').read())")
    report = place.json("hidden/report/report.json")
    tap.equal("where the hook is kept out nothing is tried, and nothing claimed", {"not-applied", "not-tried"}, set(outcomes(report).values()))
    place.write("slow.py", "import time; time.sleep(5)\n" + (place.folder / "stub.py").read_text())
    place.run("slow", "--fix", "--time-limit", "9s", "--", sys.executable, "slow.py", PYTHONPATH=path)
    report = place.json("slow/report/report.json")
    tap.equal("--time-limit covers all launches", ["base"], [t["name"] for t in report["experiment"]["trials"]])
    tap.point("which is reported", any("the time limit" in f["measured"] for f in report["experiment"]["fixes"]), report["experiment"]["fixes"])
    place.write("slower.py", "import os, time; time.sleep(4 if 'fix-1' in os.environ['TORCH_TRACE'] else 2)\n" + (place.folder / "stub.py").read_text())
    place.run("slower", "--fix", "--time-limit", "10s", "--", sys.executable, "slower.py", PYTHONPATH=path)
    report = place.json("slower/report/report.json")
    tap.equal("time that ends between the fixes: those before have been tried", "fix-1", report["experiment"]["trials"][-1]["name"])
    tap.equal("... and those behind say why not", {"break-print": False, "break-data-shape": True}, {
        fix["finding"]: "the time limit" in fix["measured"] for fix in report["experiment"]["fixes"] if fix["finding"] in ("break-print", "break-data-shape")})
    place.write("none.py", "print(1)\n")
    place.run("none", "--fix", "--", sys.executable, "none.py")
    run = place.json("none/run.json")
    tap.equal("nothing compiled: nothing to try, and that is said", (["base"], True),
              ([t["name"] for t in run["trials"]], "No finding of this run has advice that could be tried." in run["conclusions"]))


def together(tap, place, path):
    """Three that help, two of which go together, and all three do not."""
    place.write("pairs.py", stub(place, '"graph_breaks"', "sum(ALONE) == 3", "4 * sum(ALONE)"))
    place.run("pairs", "--fix", "--", sys.executable, "pairs.py", PYTHONPATH=path)
    report = place.json("pairs/report/report.json")
    trials = {t["name"]: t["failed"] for t in report["experiment"]["trials"]}
    tap.equal("all together, then the best with each other one", [("fixes", True), ("fixes-6", False), ("fixes-7", True)],
              [(name, failed) for name, failed in trials.items() if name.startswith("fixes")])
    tap.equal("the pair is offered", 2, report["experiment"]["patch"].count("+ torch._dynamo.config."))


# --- programs of tests/advice -----------------------------------------------------------------------------------------


def results(text):
    return [json.loads(line.split(" ", 1)[1]) for line in text.splitlines() if line.startswith("RESULT ")]


# A call of torch.compile or of a module's compile(), or the decorator without one.
CALL = re.compile(r"(?:torch\.compile\b|(?<=\w)(?<!\bre)(?<!torch)\.compile(?=\())(?P<call>\()?(?P<rest>[^()]*(?:\([^()]*\)[^()]*)*)?")


def with_argument(text, argument):
    """Each call of torch.compile with the argument, in place of the program's."""
    def changed(found):
        if not found["call"]:
            return f"torch.compile({argument}){found['rest']}" if found.string[:found.start()].endswith("@") else found[0]
        rest = re.sub(rf",?\s*\b{argument.split('=')[0]}=[^,()]*", "", found["rest"])
        return f"{found[0].split('compile')[0]}compile({rest}{', ' if rest.strip() else ''}{argument}"
    return "\n".join(line if line.lstrip().startswith("#") else CALL.sub(changed, line) for line in text.split("\n"))


def by_hand(text, fix):
    """The source with the fix where the report says."""
    if fix["kind"] == "pattern":
        return with_argument(text, re.search(r"[(\s](\w+=\w+)\)", fix["text"])[1])
    if fix["kind"] == "statement":
        return programs.insert(text, fix["line"], fix["text"])
    if fix["kind"] == "setting":
        return programs.insert(text, programs.start_of(text), fix["text"]) if fix["text"] not in text else text
    return text


def run_by_hand(place, python, name, fix, environment):
    """(results, counts) of the program with the fix, launched without us, as the trace says."""
    program = place.folder / f"{name}.py"
    text = program.read_text(encoding="utf-8")
    trace = pathlib.Path(tempfile.mkdtemp(dir=place.folder))
    more = dict(word.split("=", 1) for word in fix["text"].split()) if fix["kind"] == "environment" else {}
    program.write_text(by_hand(text, fix), encoding="utf-8")
    cache = tempfile.mkdtemp(dir=place.folder)
    try:
        done = subprocess.run([python, program.name], cwd=place.folder, capture_output=True, text=True, timeout=1000,
                              env={**environment, **more, "TORCH_TRACE": str(trace), "TORCHINDUCTOR_CACHE_DIR": cache})
    finally:
        program.write_text(text, encoding="utf-8")
    report = subprocess.run([str(place.pt2trace), "export", "--format", "json", str(trace)], capture_output=True, text=True, check=False)
    totals = json.loads(report.stdout)["totals"] if report.returncode == 0 else {}
    return results(done.stdout), {k: totals.get(k) for k in ("compiles", "graph_breaks", "recompiles")}


def is_for_us(program):
    return program.runs_in("2.13.0") and not {"dtrace", "fails", "long", "known-failing"} & set(program.said)


def a_program(tap, place, python, name):
    """Returns how many fixes were verified."""
    advice = place.source / "tests/advice"
    program = programs.Program(next(path for folder in (advice / "programs", advice / "real_programs", place.source / "tests/run/fixes")
                                    for path in [folder / f"{name}.py"] if path.exists()))
    shutil.copytree(advice / "lib", place.folder / "lib", dirs_exist_ok=True)
    shutil.copy(program.path, place.folder / f"{name}.py")
    environment = {**place.environment, "PYTHONPATH": str(place.folder / "lib"),
                   **dict(word.split("=", 1) for word in program.words("environment"))}
    place.run(name, "-q", "--fix", "--", python, f"{name}.py", **environment)
    report = place.json(f"{name}/report/report.json")
    base = results((place.folder / name / "base/log/console.out").read_text(encoding="utf-8"))
    trials = {t["name"]: t for t in report["experiment"]["trials"]}
    verified = [fix for fix in report["experiment"]["fixes"] if fix["outcome"] == "helps"]
    for fix in verified:
        found, counts = run_by_hand(place, python, name, fix, environment)
        trial = trials[fix["trial"]]
        tap.point(f"{name}: `{fix['text'].splitlines()[0]}` by hand gives the same results",
                  judge.same(base, found, max(1e-4, program.tolerance)), base, found)
        tap.equal(f"{name}: and what was measured", {k: trial[k] for k in counts}, counts)
    differing = {fix["text"] for fix in report["experiment"]["fixes"] if fix["outcome"] in ("results-differ", "raises")}
    tap.empty(f"{name}: nothing that changes results, or fails, is in what is offered",
              [text for text in differing if text in (report["experiment"]["patch"] or "")])
    return report, verified


def of_advice(tap, place, names):
    python, why_not = torch_python(place.source)
    if not python:
        tap.skip("fixes under PyTorch", why_not)
        return
    for name in names:
        report, verified = a_program(tap, place, python, name)
        if name in QUICK:
            tap.point(f"{name}: its advice is verified", any(fix["compared"] for fix in verified), report["experiment"]["fixes"])
    if "size_of_input" in names:
        fix, = place.json("size_of_input/report/report.json")["experiment"]["fixes"]
        tap.equal("a statement is put before its line", ("statement", "torch._dynamo.mark_dynamic(x, 0)", 15),
                  (fix["kind"], fix["text"], fix["line"]))
        tap.point("of the file", fix["file"].endswith("size_of_input.py"), fix)
        tap.point("and measured", fix["measured"].startswith(f"recompiles 1 {ARROW} 0, compiles 2 {ARROW} 1") and
                  fix["measured"].endswith("; results the same"), fix)  # the time of compiling may stand between


def main():
    tap, place = Tap(), Place(*sys.argv[1:3])
    names = sys.argv[3:] or QUICK
    if names == ["--long"]:
        names = sorted(path.stem for path in (place.source / "tests/run/fixes").glob("*.py"))
        names += [p.name for p in programs.all_programs(place.source / "tests/advice") if is_for_us(p)]
    try:
        if not sys.argv[3:]:
            stand_in(tap, place)
        of_advice(tap, place, names)
    finally:
        place.remove()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
