#!/usr/bin/env python3
"""The tables of docs/findings.md: what the program prints, with which versions of PyTorch the advice was followed, and what they lack.

usage: findings_doc.py PT2TRACE [--write SOURCE]

Prints the tables, or puts them into SOURCE/docs/findings.md, and a page for each finding into SOURCE/docs/findings.
"""

import pathlib
import subprocess
import sys

import finding_pages
from programs import all_programs
from proofs import Proofs, absences, in_order, not_there

HERE = pathlib.Path(__file__).resolve().parent

TITLE, NO_PROOF = "advice followed in PyTorch", {"yes": "not yet", "no": "–"}
TEXT = 4  # the cell of a line that says whether there is a text to paste


def known_failures():
    """finding -> the programs with which its advice is known to fail."""
    cells = {}
    for program in all_programs(HERE):
        for finding in program.first if "known-failing" in program.said else ():
            cells.setdefault(finding, []).append(f"known to fail: `{program.name}`")
    return {finding: "; ".join(texts) for finding, texts in cells.items()}


def table(pt2trace):
    printed = subprocess.run([pt2trace, "findings", "--markdown"], capture_output=True, text=True, check=True).stdout
    columns = [Proofs(HERE / "proven.tsv").column(), not_there(absences(HERE)), known_failures()]
    for line in printed.splitlines():
        cells = line.split("|")[1:-1]
        if line.startswith("| `"):
            texts = [column[finding] for column in columns for finding in [line.split("`")[1]] if finding in column]
            cells[TEXT - 1] = f" {'; '.join(texts) or NO_PROOF[cells[TEXT - 1].strip()]} "
            cells[0] = f" [`{line.split('`')[1]}`](findings/{line.split('`')[1]}.md) "
        elif not set(line) <= set("|-"):
            cells[TEXT - 1] = f" {TITLE} "
        yield f"|{'|'.join(cells)}|"


def lacks():
    """What versions of PyTorch do not have, and why."""
    yield from ("", "Not every version has each finding, or a text for it:", "", "| finding | PyTorch | why |", "|---|---|---|")
    for row in absences(HERE):
        versions = ", ".join(version.removesuffix(".0") for version in sorted(row.versions, key=in_order))
        yield f"| `{row.finding}` | {versions} | {row.why} |"


def main(pt2trace, *write):
    text = "\n".join([*table(pt2trace), *lacks()]) + "\n"
    if not write:
        print(text, end="")
        return
    doc = pathlib.Path(write[1], "docs", "findings.md")
    old = doc.read_text(encoding="utf-8")
    begin = old.index("| finding |")
    end = old.rindex("\n|", begin)
    rest = old[old.find("\n", end + 1) + 1:]
    doc.write_text(old[:begin] + text + rest, encoding="utf-8")
    finding_pages.write(pt2trace, write[1])


if __name__ == "__main__":
    main(*sys.argv[1:])
