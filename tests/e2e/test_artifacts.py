#!/usr/bin/env python3
"""Every artifact of PyTorch's logging has a case, and in no case one is unknown. Prints TAP.

usage: test_artifacts.py PT2TRACE CASES [REGISTRATIONS.py...]

CASES/artifacts.txt lists the artifacts. It is compared with the registrations of the PyTorch that this Python has (if it has
one), and with those that are given: torch/_logging/_registrations.py of any installation.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tap import Tap
from torch_python import torch_python

TAG = re.compile(r"\[__(\w+)\]|^(?:DEBUG|INFO|WARNING|ERROR):[\w.]+\.__(\w+):|^\[.*\] [\w.]+\.__(\w+): \[", re.MULTILINE)


def read_list(path):
    """Name to case; None for those that have a reason to have none."""
    artifacts = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, case, reason = (line.split(None, 2) + ["", ""])[:3]
        artifacts[name] = None if case == "-" and reason else case
    return artifacts


def tags_of(case):
    text = (case / "input.log").read_text(encoding="utf-8", errors="replace") if (case / "input.log").exists() else ""
    return {name for match in TAG.findall(text) for name in match if name}


def unknown_kinds(pt2trace, case, temp):
    out = pathlib.Path(temp) / case.name
    subprocess.run([pt2trace, "report", "-q", "--no-browser", "-o", out, case / "input.log"], capture_output=True, check=False)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return [kind["name"] for kind in report["kinds"] if not kind["known"]]


def installed():
    """Of the PyTorch of the tests."""
    python, _ = torch_python(pathlib.Path(__file__).resolve().parent.parent.parent)
    return list(pathlib.Path(python).parent.parent.glob("lib/python3.*/site-packages/torch/_logging/_registrations.py")) if python else []


def registered(path):
    return set(re.findall(r'register_artifact\(\s*"(\w+)"', path.read_text(encoding="utf-8")))


def main(pt2trace, cases, *registrations):
    tap, cases = Tap(), pathlib.Path(cases)
    artifacts = read_list(cases / "artifacts.txt")
    tags = {case.name: tags_of(case) for case in sorted(cases.iterdir()) if case.is_dir()}
    tap.empty("every case that is listed has messages of its artifact",
              [f"{name}: {case}" for name, case in artifacts.items() if case is not None and name not in tags.get(case, ())])
    tap.empty("what is listed without a case has none",
              [name for name, case in artifacts.items() if case is None and any(name in found for found in tags.values())])
    with tempfile.TemporaryDirectory() as temp:
        for case in sorted({case for case in artifacts.values() if case in tags}):
            tap.empty(f"{case}: every kind of message is known", unknown_kinds(os.path.abspath(pt2trace), cases / case, temp))
    paths = installed() + [pathlib.Path(path) for path in registrations]
    for path in paths:
        names = registered(path)
        tap.point(f"{path.parent.parent}: its registrations can be read", bool(names))
        tap.empty(f"{path.parent.parent}: every artifact it registers is listed", sorted(names - artifacts.keys()))
    if not paths:
        tap.skip("every artifact that an installed PyTorch registers is listed", "this Python has no PyTorch")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
