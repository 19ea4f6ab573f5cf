#!/usr/bin/env python3
"""`pt2trace run` on the programs of tests/run, of which each breaks in one place, with real PyTorch. Writes TAP.

usage: test_run_workloads.py PT2TRACE SOURCE_ROOT

The head of each program states the truth.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from tap import Tap
from torch_python import torch_python

# Program, options: end and status, error, its category.
FAILURES = [
    ("unsupported", [], 1, "Unsupported", "graph_break"),
    ("aot_fails", [], 1, "no derivative today", "backend"),
    ("lowering_fails", [], 1, "no lowering today", "backend"),
    ("internal_error", [], 1, "lost", "dynamo_bug"),
    ("limit_fails", [], 1, "FailOnRecompileLimitHit", "recompilation"),
]


class Place:
    def __init__(self, pt2trace, source, python):
        self.pt2trace, self.python = pathlib.Path(pt2trace).resolve(), python
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pt2trace-run-workloads-"))
        shutil.copytree(pathlib.Path(source, "tests", "run"), self.folder / "work")

    def run(self, name, *words):
        """The last of the words is the program's."""
        command = [self.pt2trace, "run", "--no-browser", "-q", "-o", self.folder / name, "-C", self.folder / "work", *words]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=570, check=False)

    def trials(self, name):
        return {trial["name"]: trial for trial in json.loads((self.folder / name / "run.json").read_text())["trials"]}

    def report(self, name):
        return json.loads((self.folder / name / "report" / "report.json").read_text())


def failures(tap, place):
    for program, options, status, error, category in FAILURES:
        place.run(program, *options, place.python, f"{program}.py")
        trial, report = place.trials(program)["base"], place.report(program)
        tap.equal(f"{program}: how it ends", ("exited", status, True), (trial["end"], trial["status"], trial["failed"]))
        tap.point(f"{program}: why", error in trial["error"], trial["error"])
        tap.equal(f"{program}: what that is", [category], sorted({e["category"] for e in report["errors"]}))


def compiles(tap, place):
    place.run("breaks", "--disable", "breaks.shout", place.python, "breaks.py")
    base, changed = place.trials("breaks")["base"], place.trials("breaks")["what-if"]
    tap.equal("breaks: in three places", 3, place.report("breaks")["totals"]["distinct_graph_breaks"])
    tap.point("breaks: what is disabled is another break", any("disable" in c["text"] for c in changed["changes"]) and not base["failed"],
              changed["changes"])
    place.run("recompiles", "--recompile-limit", "20", place.python, "recompiles.py")
    base, changed = place.trials("recompiles")["base"], place.trials("recompiles")["what-if"]
    tap.equal("recompiles: the ninth compile hits the limit, and with another limit all are compiled", [(9, 8), (12, 11)],
              [(t["compiles"], t["recompiles"]) for t in (base, changed)])
    concluded = json.loads((place.folder / "recompiles" / "run.json").read_text())["conclusions"]
    tap.point("recompiles: which is concluded", any("recompile limit 20" in c for c in concluded), concluded)
    tap.point("recompiles: and the limit is gone", any(c["gone"] and c["kind"] == "recompile limit" for c in changed["changes"]), changed)


def results(tap, place):
    (place.folder / "work" / "aot.yaml").write_text(f"""command: {place.python} wrong_aot.py
checks: [{{output: "sum ([0-9.]+)"}}]
variants: [{{name: eager, backend: none}}, {{name: dynamo, backend: eager}}]
""")
    place.run("wrong_aot", "-c", place.folder / "work" / "aot.yaml")
    rows = {name: [c["outcome"] for c in trial["checks"]] for name, trial in place.trials("wrong_aot").items()}
    tap.equal("wrong_aot: AOTAutograd makes another result", {"base": ["different"], "eager": [], "dynamo": ["same"]}, rows)
    place.run("wrong_dynamo", "--check", "sum ([0-9.]+)", "--backend", "none", place.python, "wrong_dynamo.py")
    tap.equal("wrong_dynamo: Dynamo does", "36.0000 here, 28.0000 in what-if (match 1); max abs difference 8, max rel 0.2857",
              place.trials("wrong_dynamo")["base"]["checks"][0]["detail"])
    place.run("wrong_pass", "--check-file", "result.pt", "--backend", "aot_eager_decomp_partition", place.python, "wrong_pass.py")
    checks = place.trials("wrong_pass")["what-if"]["checks"]
    tap.point("wrong_pass: a file of tensors shows it", [c["outcome"] for c in checks] == ["different"] and
              "['y'][" in checks[0]["detail"] and "max abs difference 2.651" in checks[0]["detail"], checks)


def main(pt2trace, source):
    tap = Tap()
    python, why_not = torch_python(source)
    if not python:
        tap.skip("programs that break in one place", why_not)
        return tap.end()
    place = Place(pt2trace, source, python)
    try:
        for part in (failures, compiles, results):
            part(tap, place)
    finally:
        shutil.rmtree(place.folder, ignore_errors=True)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
