#!/usr/bin/env python3
"""The program of pt2trace.html against the native one, byte for byte: every case of tests/cases, every trace of testdata.
Prints TAP.

usage: test_wasi.py PT2TRACE PROGRAM.wasm SOURCE [NAME...]

Both read the same files under the same names, by the same words: what they print, their exit status and every file that
they write must be the same. The WebAssembly runs twice: on node's own WASI, and on web/wasi.js, the one of the page.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE.parent / "cases")]
from run_cases import Case  # noqa: E402
from tap import Tap  # noqa: E402

OUTPUT = "pt2trace_out"
ENVIRONMENT = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
# What a browser hands over has no links, and of node's WASI none leads out of the directory.
WITHOUT = {"node": {"directory_with_everything"}, "shim": {"directory_with_everything", "links", "directories_without_end"}}


class Job:
    """One command, in a directory of its own, and what the native program makes of it."""

    def __init__(self, name, root, words):
        self.name, self.root, self.args = name, root, ["pt2trace", *words]

    def run_native(self, pt2trace):
        done = subprocess.run(self.args, executable=pt2trace, cwd=self.root, capture_output=True, env=ENVIRONMENT, timeout=300)
        self.native = {"status": done.returncode, "stdout": done.stdout, "stderr": done.stderr} | files_below(self.root / OUTPUT)
        shutil.rmtree(self.root / OUTPUT, ignore_errors=True)

    def command(self, system):
        self.place = self.root.parent / f"{self.root.name}-{system}"
        (self.place / "out").mkdir(parents=True)
        return json.dumps({"args": self.args, "root": str(self.root), "output": str(self.place / "out"),
                           "stdout": str(self.place / "stdout"), "stderr": str(self.place / "stderr")})

    def differences(self, status):
        found = {"status": status, "stdout": (self.place / "stdout").read_bytes(), "stderr": (self.place / "stderr").read_bytes()}
        found |= files_below(self.place / "out")
        for key in sorted({*self.native, *found}):
            if self.native.get(key) != found.get(key):
                yield f"{key}: {difference(self.native.get(key), found.get(key))}"


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def difference(native, found):
    if not isinstance(native, bytes) or not isinstance(found, bytes):
        return f"native {str(native)[:150]}, here {str(found)[:150]}"
    at = next((i for i, (a, b) in enumerate(zip(native, found)) if a != b), min(len(native), len(found)))
    begin = max(0, at - 60)
    return f"at byte {at}: native {native[begin:at + 60]!r}, here {found[begin:at + 60]!r}"


def case_jobs(source, work):
    """The folders of tests/cases, with the words that run_cases.py gives."""
    for kind in ("trace", "log"):
        for folder in sorted((source / "tests" / "cases" / kind).iterdir()):
            if not (folder / "expected.json").exists():
                continue
            root = work / f"{kind}-{folder.name}"
            root.mkdir()
            case = Case(folder, root)
            path = case.make()
            if path is not None:
                yield Job(folder.name, root, [*case.expected.get("args", []), os.path.relpath(path, root)])


def copied_jobs(source, work):
    """Texts as they are pasted, and the traces of testdata."""
    texts = sorted((source / "tests" / "cases" / "paste").glob("*.txt"))
    traces = sorted(path for path in (source / "testdata").glob("*/trace"))
    for number, path in enumerate(texts + traces):
        root = work / f"copy-{number}"
        root.mkdir()
        shutil.copytree(path, root / path.name) if path.is_dir() else shutil.copy(path, root)
        name = path.parent.name if path.is_dir() else path.name
        yield Job(name, root, [path.name])
        if path.is_dir() and number % 8 == 0:
            for words in (["summary"], ["export", "--format", "markdown"], ["--redact"]):
                again = work / f"copy-{number}-{words[0]}"
                shutil.copytree(root, again)
                yield Job(f"{name}, {words[0]}", again, [*words, path.name])


def run_all(jobs, program, source, system):
    # Node 20 crashes when V8 calls its WASI directly.
    words = ["node", "--no-warnings", "--no-turbo-fast-api-calls", HERE / "wasi_run.mjs", program, source] + (["--shim"] if system == "shim" else [])
    commands = "".join(job.command(system) + "\n" for job in jobs)
    done = subprocess.run(words, input=commands, capture_output=True, text=True, timeout=1800)
    if done.returncode or len(done.stdout.splitlines()) != len(jobs):
        raise SystemExit(f"Bail out! {system}: node ended with {done.returncode} after {len(done.stdout.splitlines())} of "
                         f"{len(jobs)} commands: {done.stderr[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    pt2trace, program, source = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    names, tap = set(sys.argv[4:]), Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-wasi-") as work:
        jobs = [*case_jobs(source, pathlib.Path(work)), *copied_jobs(source, pathlib.Path(work))]
        jobs = [job for job in jobs if not names or job.name in names]
        for job in jobs:
            job.run_native(pt2trace)
        tap.point("there are cases", len(jobs) > 100 or names, len(jobs))
        for system, without in WITHOUT.items():
            of_system = [job for job in jobs if job.name not in without]
            for job, status in zip(of_system, run_all(of_system, program, source, system)):
                tap.empty(f"{job.name}, {system}", list(job.differences(status)))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
