#!/usr/bin/env python3
"""Does what the reports advise, under real PyTorch. Writes TAP.

usage: test_advice.py PT2TRACE SOURCE [--torch VERSION]... [--libraries] [--long] [--write] [--show] [--keep DIR] [NAME]...

Each program of tests/advice is run and reported on; then what the first finding has to paste is put where the report says, and the
program is run again. README.md says what is asserted. Without NAMEs a part of the programs is run, as daily() says; with --long all
are. --write notes in proven.tsv what was proven, --show prints the findings. --libraries runs the models of libraries in `real`
instead, which need the Python of tools/libraries-python; they are not noted.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

import json  # noqa: E402
import subprocess  # noqa: E402

import judge  # noqa: E402
import programs  # noqa: E402
from proofs import Proofs, absences  # noqa: E402
from tap import Tap  # noqa: E402
from torch_pool import Torch, python_with, python_with_libraries  # noqa: E402

VERSION = "2.13.0"  # of tools/torch-python
NAMES = re.compile(r"\btorch(?!\.ops\b)(?:\.\w+)+")  # operators in torch.ops are the program's own
# Imports what is not imported yet, as `import torch` leaves much to be loaded.
NAME_CHECK = """
import importlib
for name in {names!r}:
    at, path = torch, "torch"
    for part in name.split(".")[1:]:
        path += "." + part
        if not hasattr(at, part):
            try:
                importlib.import_module(path)
            except ImportError:
                raise AttributeError(name) from None
        at = getattr(at, part)
"""


class Trial:
    """One program under one version of PyTorch."""

    def __init__(self, pt2trace, torch, program, root):
        self.pt2trace, self.torch, self.program = pt2trace, torch, program.under(torch.version)
        self.root = pathlib.Path(root, program.name)
        self.problems, self.shown, self.found, self.kind, self.proven = [], [], None, None, False

    def folder(self, name, text):
        """A folder with the program in it, and the path of that."""
        folder = self.root / name
        folder.mkdir(parents=True)
        path = folder / self.program.path.name
        path.write_text(text, encoding="utf-8")
        return folder, path

    def run(self, name, text, environment=None, eager=False):
        folder, path = self.folder(name, text)
        if "inductor" in self.program.said:
            self.torch.seed(folder)
        environment = " ".join(filter(None, (self.program.said.get("environment"), environment)))
        if environment or "alone" in self.program.said:
            return self.torch.run_alone(path, folder, self.program.limit_s, environment)
        return self.torch.run(path, folder, self.program.limit_s, eager=eager, dtrace="dtrace" in self.program.said)

    def report(self, run):
        done = subprocess.run([self.pt2trace, "export", "--format", "json", run.trace], capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise programs.Wrong(f"pt2trace export ends with {done.returncode}: {done.stderr}")
        report = json.loads(done.stdout)
        self.shown += [f"--- {run.folder.name}", *map(judge.described, report["findings"]),
                       *(f"    {line}" for x in report["findings"][:1] for line in (x["paste"] or "").splitlines())]
        return report

    def judge(self):
        before = self.run("before", self.program.text)
        self.check_end(before)
        if self.problems:
            return
        report = self.report(before)
        self.problems += judge.report_problems(self.program, report)
        if not self.problems and self.program.finding:
            self.follow(before, report)

    def judge_absent(self, finding, text_alone):
        """A program that has the problem, under a version that does not report it, or has no text for it: absent.tsv says so."""
        found = self.report(self.run("before", self.program.text))["findings"]
        self.problems += judge.absence_problems(finding, found, text_alone)

    def check_end(self, run):
        """A program that is to fail says with which words."""
        fails = self.program.said.get("fails")
        text = run.text("stderr")
        if run.status == "time":
            self.problems.append(f"{run.folder.name}: ran longer than {self.program.limit_s} s")
        elif fails and (run.status == 0 or not re.search(fails, text)):
            self.problems += [f"{run.folder.name}: does not fail with /{fails}/: status {run.status}", *run.end()]
        elif not fails and run.status != 0:
            self.problems += [f"{run.folder.name}: status {run.status}", *run.end()]

    def follow(self, before, report):
        """Does what the first finding advises."""
        finding = judge.followed(self.program, report["findings"])
        kind, paste = finding["paste_kind"], finding["paste"]
        self.found, self.kind = judge.id_of(finding), kind or "words"
        self.problems += self.wrong_names(kind, paste)
        if kind == "command":
            return self.enter(paste)
        if kind in {"pattern", None}:
            if kind and not self.program.after and self.program.path.parent.name == "programs":
                self.problems.append(f"the text is a pattern, and there is no {self.program.name}.after.py")
            if not self.program.after:
                return None
            after, lines = self.run("after", self.program.after.read_text(encoding="utf-8")), programs.Inserted()
        elif kind == "environment":
            after, lines = self.run("after", self.program.text, " ".join(paste.splitlines())), programs.Inserted()
        else:
            at = finding["paste_at"]["line"] if kind == "statement" else programs.start_of(self.program.text)
            after = self.run("after", programs.insert(self.program.text, at, paste))
            lines = programs.Inserted(at, len(paste.splitlines()))
        return self.compare(before, report, after, lines)

    def enter(self, command):
        folder = self.root / "after"
        folder.mkdir(parents=True)
        tools = pathlib.Path(self.pt2trace).resolve().parent
        run = self.torch.shell(f"PATH={tools}:$PATH\n{command}", folder, self.program.limit_s)
        if run.status != 0:
            self.problems += [f"the command ends with {run.status}", *run.end()]
        self.check_shown(run)

    def check_shown(self, run, before=None):
        """What helps to find a cause does not mend it: the program says what it shows, and did not show before."""
        shows = self.program.said.get("shows", "")
        if not re.search(shows, run.text("stdout") + run.text("stderr")):
            self.problems += [f"does not show /{shows}/", *run.end()]
        if before and re.search(shows, before.text("stdout") + before.text("stderr")):
            self.problems.append(f"shows /{shows}/ without it, too")
        self.proven = not self.problems

    def compare(self, before, report, after, lines):
        if after.status != 0:
            self.problems += [f"after: status {after.status}", *after.end()]
            return
        if "shows" in self.program.said:
            self.problems += judge.result_problems(self.program, before.text("stdout"), after.text("stdout"))
            self.check_shown(after, before)
            return
        first, later = judge.followed(self.program, report["findings"]), self.report(after)
        adapted = self.kind in {"pattern", "words"}
        self.problems += judge.work_problems(first, report, later, adapted)
        self.problems += judge.gone_problems(first, report, later, lines, adapted, self.program.words("also"))
        truth = self.run("eager", self.program.text, eager=True) if "fails" in self.program.said else before
        self.problems += judge.output_problems(self.program, truth.text("stdout"), after.text("stdout"))
        self.proven = not self.problems

    def wrong_names(self, kind, paste):
        """Names of PyTorch in the text that this version does not have, and settings that need another import."""
        names = sorted(set(NAMES.findall(paste or "")))
        checks = [("names", NAME_CHECK.format(names=names))] if names else []
        checks += [("start", paste)] if kind == "setting" else []
        for name, code in checks:
            run = self.torch.works_at_start(code, self.root / name)
            if run.status != 0:
                yield f"{name} of the text: {' '.join(run.end()[-1:])}"
        if kind in {"statement", "setting"}:
            try:
                compile(paste, "paste", "exec")
            except SyntaxError as error:
                yield f"the text is no Python: {error}"


DAILY = 3  # programs of one finding that are run without --long


def daily(all_, proofs):
    """
    What runs without --long: the first programs that prove each finding, and what has no kept trace. What is said of all others is
    judged every day from their traces (test_kept.py).
    """
    tried, count, kept = {name: finding for finding, name, _ in proofs.rows}, collections.Counter(), programs.kept(HERE)
    for program in all_:
        finding = tried.get(program.name)
        count[finding] += 1
        if program.name not in kept or (finding and count[finding] <= DAILY) or (program.after and not finding):
            yield program


def wanted(all_, options):
    if options.names:
        chosen = [program for program in all_ if program.name in options.names]
    else:
        chosen = all_ if options.long or options.libraries else list(daily([p for p in all_ if "long" not in p.said], Proofs(HERE / "proven.tsv")))
    unknown = set(options.names) - {p.name for p in chosen}
    if unknown:
        sys.exit(f"no such program: {' '.join(sorted(unknown))}")
    return chosen


def report(tap, trial, proofs, options):
    """The points of one trial."""
    name, failing = f"{trial.program.name}, PyTorch {trial.torch.version}", trial.program.said.get("known-failing")
    if options.show:
        print("\n".join(f"# {line}" for line in [name, *trial.shown]), flush=True)
    if failing:
        tap.point(f"{name}: fails as is known: {failing}", trial.problems, "it passes: take `known-failing` out")
    else:
        tap.empty(name, trial.problems)
    if trial.kind is None or options.libraries:
        return
    key = (trial.found, trial.program.name, trial.kind, trial.torch.version)
    if options.write:
        proofs = Proofs(proofs.path)  # others may have written since
        proofs.set(*key, trial.proven)
        proofs.write()
    elif not failing:
        tap.equal(f"{name}: proven.tsv says so", trial.proven, proofs.has(*key))


def run_all(tap, torch, chosen, root, options):
    proofs = Proofs(HERE / "proven.tsv")

    def one(program):
        trial = Trial(options.pt2trace, torch, program, root)
        try:
            trial.judge()
        except programs.Wrong as error:
            trial.problems.append(str(error))
        return trial

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for trial in pool.map(one, [p for p in chosen if p.runs_in(torch.version)]):
            report(tap, trial, proofs, options)


def run_absent(tap, torch, root, options):
    """What absent.tsv says that a run shows."""
    known = {program.name: program for program in programs.all_programs(HERE)}
    for row in absences(HERE):
        if row.program is None or torch.version not in row.versions or (options.names and row.program not in options.names):
            continue
        trial = Trial(options.pt2trace, torch, known[row.program], root / "absent" / row.finding)
        trial.judge_absent(row.finding, row.kind == "text")
        tap.empty(f"{row.program}, PyTorch {torch.version}: there is no {'text for ' if row.kind == 'text' else ''}{row.finding}", trial.problems)


def parse(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("pt2trace")
    parser.add_argument("source")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--torch", action="append", default=[])
    parser.add_argument("--keep")
    for flag in ("--libraries", "--long", "--write", "--show"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_intermixed_args(words)
    options.pt2trace = str(pathlib.Path(options.pt2trace).resolve())
    return options


def pythons(options):
    """(what it is, the path of a Python that has it; None where it is not installed)."""
    if options.libraries:
        return [("libraries", python_with_libraries(options.source))]
    return [(version, python_with(version, options.source)) for version in options.torch or [VERSION]]


def main():
    options, tap = parse(sys.argv[1:]), Tap()
    chosen = wanted(programs.programs_in(HERE, "real") if options.libraries else programs.all_programs(HERE), options)
    for name, python in pythons(options):
        if not python:
            tap.skip(f"advice under PyTorch, {name}", f"{name} is not installed")
            continue
        with tempfile.TemporaryDirectory(prefix="pt2trace-advice-") as temp:
            root = pathlib.Path(options.keep or temp).resolve() / name
            shutil.rmtree(root, ignore_errors=True)
            torch = Torch(python, root / "servers")
            run_all(tap, torch, chosen, root, options)
            if not options.libraries:
                run_absent(tap, torch, root, options)
            torch.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
