"""Follows the advice for problems that need a GPU: the programs of tests/advice/gpu.

A program is run as it is, in eager mode, and once for each line "# fix NAME: REGEX" at its head, with NAME in PT2TRACE_FIX:
the problem is there, what pt2trace says about it has REGEX, with the fix it is gone, and the results are the same.
"# never: ID": a program on which the finding must not appear.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "tests" / "advice" / "gpu"
HEAD = re.compile(r"# (fails|warns|finding|never|environment|activity|fix|shows|variable)(?: ([\w-]+))?(?:: (.*))?$")
LIMIT = 240
TOLERANCE = 1e-3


class Program:
    """What the head of a program says of it."""

    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.one, self.named = {}, {"fix": {}, "shows": {}, "variable": {}}
        for line in path.read_text().splitlines():
            match = HEAD.match(line)
            if match and match[2]:
                self.named[match[1]][match[2]] = match[3]
            elif match:
                self.one[match[1]] = match[3] or True

    def environment(self, fix):
        words = [self.one.get("environment"), self.named["variable"].get(fix)]
        return dict(word.split("=", 1) for word in words if word)


def programs(names=()):
    found = [Program(path) for path in sorted(PROGRAMS.glob("*.py")) if path.stem != "variant"]
    return [program for program in found if not names or program.name in names]


class Run:
    """One run of a program: `fix` is a name, None for the problem, "eager" for what it has to compute."""

    def __init__(self, check, program, fix):
        self.program, self.fix = program, fix
        self.folder = check.out / "advice" / f"{program.name}.{fix or 'problem'}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.trace = self.folder / "trace"
        self.trace.mkdir(parents=True)
        self.status, self.text = self.run(check)
        (self.folder / "output.txt").write_text(self.text)
        found = re.search(r"^result: (\S+)$", self.text, re.M)
        self.result = float(found[1]) if found else None

    def run(self, check):
        # without processes of its own for compiling: many of these programs run at once
        env = {**os.environ, "TORCH_TRACE": self.trace, "TORCHINDUCTOR_COMPILE_THREADS": "1", "TORCHINDUCTOR_CACHE_DIR": self.folder / "cache",
               "TRITON_CACHE_DIR": self.folder / "triton",
               "PT2TRACE_FIX": self.fix if self.fix in self.program.named["fix"] else "",
               **self.program.environment(self.fix)}
        if self.fix == "eager":
            env["TORCHDYNAMO_DISABLE"] = "1"
            env.pop("TORCH_TRACE")
        words = [check.python, self.program.path]
        if "activity" in self.program.one and self.fix != "eager":
            words = [check.pt2trace, "run", "-q", "--no-browser", "--gpu-activity", "cupti", "-o", self.folder / "run", "--", *words]
        try:
            done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", timeout=LIMIT, env={k: str(v) for k, v in env.items()})
            return done.returncode, done.stdout
        except subprocess.TimeoutExpired as error:
            return -1, (error.stdout or b"").decode(errors="replace") + f"\nran longer than {LIMIT} s\n"

    def report(self, check):
        """What pt2trace reads of this run: its records where the head names a finding, otherwise its output."""
        if "activity" in self.program.one:
            return check.report(self.folder / "run" / "base", self.folder / "run" / "run.json", folder=self.folder / "report")
        if "finding" in self.program.one:
            return check.report(self.trace, self.folder / "output.txt", folder=self.folder / "report")
        return check.report(self.folder / "output.txt", folder=self.folder / "report")

    def has_finding(self, check, name):
        return any(finding["id"] == name for finding in self.report(check)["findings"])

    def has_problem(self, check):
        one = self.program.one
        if "fails" in one:
            return self.status != 0 and re.search(one["fails"], self.text) is not None
        if "finding" in one:
            return self.has_finding(check, one["finding"])
        return re.search(one["warns"], self.text) is not None


def words_of(report):
    words = []
    for finding in report["findings"]:
        words += [finding.get(key) or "" for key in ("title", "detail", "fix", "paste")]
    for error in report["errors"]:
        words += [step if isinstance(step, str) else str(step) for step in error.get("next") or []]
    return "\n".join(words)


def same(a, b):
    return a is not None and b is not None and abs(a - b) <= TOLERANCE * max(1, abs(a), abs(b))


def judge(check, program, runs):
    problem = runs[None]
    if "never" in program.one:
        alarmed = problem.has_finding(check, program.one["never"])
        check.row(f"{program.name}: {program.one['never']}", "alarms" if alarmed else "does not alarm", not alarmed)
        return
    if not check.row(f"{program.name}: the problem", "there" if problem.has_problem(check) else problem.text.strip()[-160:],
                     problem.has_problem(check)):
        return
    words = words_of(problem.report(check))
    expected = runs["eager"].result
    for fix, regex in program.named["fix"].items():
        run = runs[fix]
        expected = run.result if expected is None else expected
        wrong = [text for text, bad in (("not in the advice", not re.search(regex, words)),
                                        (f"status {run.status}: {run.text.strip()[-160:]}", run.status != 0),
                                        ("still there", run.status == 0 and run.has_problem(check)),
                                        (f"result {run.result}, not {expected}", not same(run.result, expected))) if bad]
        check.row(f"{program.name}: {fix}", "; ".join(wrong) or "gone, results the same", not wrong)
    for name, regex in program.named["shows"].items():
        check.row(f"{program.name}: {name}", regex, re.search(regex, runs[name].text) is not None)


def wanted(program):
    return [None, "eager", *program.named["fix"], *program.named["shows"]]


def follow(check, names, jobs):
    """Programs whose activity is measured run alone."""
    some = programs(names)
    runs = {program.name: {} for program in some}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = [pool.submit(Run, check, program, fix) for program in some if "activity" not in program.one
                   for fix in wanted(program)]
        done = [future.result() for future in pending]
    done += [Run(check, program, fix) for program in some if "activity" in program.one for fix in wanted(program)]
    for run in done:
        runs[run.program.name][run.fix] = run
    for program in some:
        judge(check, program, runs[program.name])
