#!/usr/bin/env python3
"""Whether each number of PyTorch's registry of graph breaks is of a kind, and has one answer. Writes TAP.

    test_break_kinds.py PRINT_BREAK_KINDS SOURCE

tests/unit/print_break_kinds.c prints what the program knows of each number; the registry is in the PyTorch of the tests.
"""

import json
import pathlib
import subprocess
import sys

from tap import Tap
from torch_python import torch_python


def registry_of(python):
    """The numbers that this PyTorch has."""
    lib = pathlib.Path(python).parent.parent / "lib"
    path, = lib.glob("python3.*/site-packages/torch/_dynamo/graph_break_registry.json")
    return set(json.loads(path.read_text(encoding="utf-8")))


def main():
    source, tap = sys.argv[2], Tap()
    lines = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout.splitlines()
    numbers = {number: list(map(int, facts)) for number, *facts in map(str.split, lines)}
    known = {number for number, (rows, _, _) in numbers.items() if rows}

    tap.point("the program prints its numbers", len(known) > 400 and sum(text for _, text, _ in numbers.values()) > 400, len(known))
    tap.empty("each number is of one kind", sorted(number for number, (rows, _, _) in numbers.items() if rows > 1))
    tap.empty("each kind has an answer", sorted(number for number, (rows, _, answer) in numbers.items() if rows and not answer))
    tap.empty("numbers of texts without a kind", sorted(number for number, (rows, text, _) in numbers.items() if text and not rows))
    python, why = torch_python(source)
    if python:
        tap.empty("numbers of the registry without a kind", sorted(registry_of(python) - known))
    else:
        tap.skip("numbers of the registry without a kind", why)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
