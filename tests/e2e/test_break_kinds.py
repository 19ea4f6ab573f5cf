#!/usr/bin/env python3
"""Whether each number of PyTorch's registry of graph breaks is of a kind, and has one answer. Writes TAP.

    test_break_kinds.py SOURCE

The numbers stand in src/analysis/breaks/break_kind_ids.c; those that pt2trace finds by the words of a message in src/text/messages/break_ids_generated.def, and
all in the registry of the PyTorch of the tests.
"""

import json
import pathlib
import re
import sys
from collections import Counter

from tap import Tap
from torch_python import torch_python

NUMBER = re.compile(r"GB\d{4}")
ROW = re.compile(r"\{(BREAK_\w+),((?:\s*\"[^\"]*\")+)\}")


def kinds_in(code):
    """[(kind, number)] of the rows of a table."""
    return [(kind, number) for kind, numbers in ROW.findall(code) for number in NUMBER.findall(numbers)]


def registry_of(python):
    """The numbers that this PyTorch has."""
    lib = pathlib.Path(python).parent.parent / "lib"
    path, = lib.glob("python3.*/site-packages/torch/_dynamo/graph_break_registry.json")
    return set(json.loads(path.read_text(encoding="utf-8")))


def twice(rows):
    return sorted(number for number, n in Counter(number for _, number in rows).items() if n > 1)


def main():
    source, tap = pathlib.Path(sys.argv[1]), Tap()
    rows = kinds_in((source / "src/analysis/breaks/break_kind_ids.c").read_text(encoding="utf-8"))
    known = {number for _, number in rows}
    by_words = set(NUMBER.findall((source / "src/text/messages/break_ids_generated.def").read_text(encoding="utf-8")))
    by_old_words = set(NUMBER.findall((source / "src/analysis/breaks/break_kind_words.c").read_text(encoding="utf-8")))
    answers = set(re.findall(r"\[(BREAK_\w+)\] =", (source / "src/analysis/breaks/break_fix.c").read_text(encoding="utf-8")))

    tap.equal("the check sees a number that is twice there", ["GB0002"], twice(kinds_in('{BREAK_A, "GB0001 GB0002"}, {BREAK_B, "GB0002"}')))
    tap.empty("each number is of one kind", twice(rows))
    tap.empty("each kind has an answer", sorted({kind for kind, _ in rows} - answers))
    tap.empty("numbers of texts without a kind", sorted((by_words | by_old_words) - known))
    python, why = torch_python(source)
    if python:
        tap.empty("numbers of the registry without a kind", sorted(registry_of(python) - known))
    else:
        tap.skip("numbers of the registry without a kind", why)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
