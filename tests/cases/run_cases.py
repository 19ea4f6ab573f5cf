#!/usr/bin/env python3
"""Runs the cases of a folder: what goes into pt2trace, and what must come out. Prints TAP.

usage: run_cases.py PT2TRACE FOLDER [NAME...]

A case is a folder. Its input is the file `input.log`, or the directory `input`, or whatever `make.py DIRECTORY` writes
(for bytes that cannot stand in a text file, and for what is too large to keep). Beside it `expected.json`:

    "exit"      the exit status (0 when it is not there)
    "path"      which file of the directory is the input (all of it when it is not there)
    "args"      more arguments for `pt2trace report`
    "stderr"    a text that must be among the complaints
    all others  part of report.json: of an object only the members that are named are compared, of a list every item

`summary` must end with the same status as `report`. A case that cannot be made here (make.py exits with 77) is skipped.
To begin a new case, run it with an empty expected.json, and look at what the failed points say was found.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from tap import Tap  # noqa: E402

SPECIAL = {"exit", "path", "args", "stderr"}
TIMEOUT = 120
CANNOT = 77


def differences(expected, found, where=""):
    """Yields what of `expected` is not in `found`."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key not in found:
                yield f"{where}.{key}: is not there"
            else:
                yield from differences(value, found[key], f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{where}: expected {len(expected)} items, found {len(found)}: {json.dumps(found)[:1500]}"
            return
        for i, (e, f) in enumerate(zip(expected, found)):
            yield from differences(e, f, f"{where}[{i}]")
    elif expected != found or isinstance(expected, bool) != isinstance(found, bool):
        yield f"{where}: expected {json.dumps(expected)}, found {json.dumps(found)[:1500]}"


class Case:
    def __init__(self, folder, work):
        self.folder, self.work = folder, work
        self.expected = json.loads((folder / "expected.json").read_text())
        self.failure = None
        self.skipped = False

    def make(self):
        """The input's path, or None."""
        made = self.work / "input"
        if (self.folder / "make.py").exists():
            made.mkdir()
            environment = dict(os.environ, PYTHONPATH=sys.path[0], PYTHONDONTWRITEBYTECODE="1")
            done = subprocess.run([sys.executable, str(self.folder / "make.py"), str(made)], capture_output=True, text=True,
                                  env=environment)
            self.skipped = done.returncode == CANNOT
            if done.returncode:
                self.failure = done.stderr
                return None
            return made / self.expected.get("path", "")
        for name in ("input.log", "input"):
            if (self.folder / name).exists():
                shutil.copytree(self.folder / name, made) if name == "input" else shutil.copy(self.folder / name, made)
                return made / self.expected["path"] if "path" in self.expected else made
        self.failure = "there is no input"
        return None

    def run(self, program):
        path = self.make()
        if path is None:
            return
        self.report = self.call(program, "report", "-q", "--no-browser", "-o", self.work / "out", *self.expected.get("args", []), path)
        self.summary = self.call(program, "summary", path)
        self.json = self.work / "out" / "report.json"

    def call(self, *words):
        try:
            return subprocess.run([str(w) for w in words], capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, -99, b"", b"no end after %d s" % TIMEOUT)

    def complaints(self):
        """Why the case failed, line by line."""
        if self.failure:
            yield self.failure
            return
        want = self.expected.get("exit", 0)
        stderr = self.report.stderr.decode(errors="replace")
        if self.report.returncode != want:
            yield f"report: exit {self.report.returncode}, not {want}\n{stderr}"
        if self.summary.returncode != want and "args" not in self.expected:
            yield f"summary: exit {self.summary.returncode}, not {want}\n{self.summary.stderr.decode(errors='replace')}"
        if self.expected.get("stderr", "") not in stderr:
            yield f"stderr: expected {self.expected['stderr']!r}, found {stderr!r}"
        facts = {key: value for key, value in self.expected.items() if key not in SPECIAL}
        if not self.json.exists():
            if facts:
                yield "no report.json"
            return
        report = json.loads(self.json.read_bytes().decode("utf-8", "strict"))
        yield from differences(facts, report)


def main():
    program, folder, names = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    tap = Tap()
    for case in sorted(path for path in folder.iterdir() if (path / "expected.json").exists()):
        if names and case.name not in names:
            continue
        with tempfile.TemporaryDirectory() as work:
            one = Case(case, pathlib.Path(work))
            one.run(program)
            if one.skipped:
                tap.skip(case.name, "cannot be made here")
            else:
                tap.empty(case.name, list(one.complaints()))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
