"""
A page for each finding, docs/findings/ID.md: what a report says of a real trace that has it, a program with it, the program mended,
and what proves the advice. Made of the table of findings, testdata, and the programs and tables here; findings_doc.py writes them.
"""

import difflib
import functools
import json
import pathlib
import re
import subprocess
from collections import defaultdict

from programs import all_programs
from proofs import KINDS, Proofs, absences, in_order

HERE = pathlib.Path(__file__).resolve().parent
SHOWN_FIRST = ("pattern", "statement", "setting", "words", "environment", "command")


def cells(line):
    return [cell.strip() for cell in line.split("|")[1:-1]]


def rows(pt2trace):
    """finding -> [id, what it detects, severity, whether it has a text, documentation]."""
    printed = subprocess.run([pt2trace, "findings", "--markdown"], capture_output=True, text=True, check=True).stdout
    return {line.split("`")[1]: cells(line) for line in printed.splitlines() if line.startswith("| `")}


class Traces:
    """Findings of the traces in testdata, each read once."""

    def __init__(self, pt2trace, source):
        self.pt2trace, self.source, self.read = pt2trace, pathlib.Path(source), {}
        expected = json.loads((self.source / "testdata" / "findings.json").read_text(encoding="utf-8"))
        truth = expected["traces"]
        self.names = defaultdict(list, {found: [name] for found, name in expected["of the machine"].items()})
        for name in sorted(truth, key=lambda name: ("-" in name, name.startswith("logs/"))):
            for found in {id for ids in truth[name].values() for id in ids}:
                self.names[found].append(name)

    def findings(self, name):
        if name not in self.read:
            done = subprocess.run([self.pt2trace, "export", "--format", "json", self.source / "testdata" / name],
                                  capture_output=True, text=True, check=True)
            self.read[name] = json.loads(done.stdout)["findings"]
        return self.read[name]

    def example(self, finding):
        """(trace, finding): the first trace that has it, one with a text to paste if there is any."""
        found = [(name, each) for name in self.names[finding][:3] for each in self.findings(name) if each["id"] == finding]
        return min(found, key=lambda pair: not pair[1]["paste"]) if found else None


# --- parts of a page ----------------------------------------------------------------------------------------------------

def said(example):
    name, finding = example
    place = f"{pathlib.PurePosixPath(finding['file']).name}:{finding['line']}" if finding["file"] else ""
    lines = [f"{finding['severity']}: {finding['title']}", place, f"> {finding['source'].strip()}" if finding["source"] else ""]
    yield from ("## What the report says", "", f"Of `testdata/{name}`:", "", "```text", *filter(None, lines), "```", "")
    yield from (finding["fix"] or "", "") if finding["fix"] else ()
    if finding["paste"]:
        where = (finding["paste_at"] or {}).get("words") or "at the line above"
        yield from (f"The text to paste, {where}:", "", "```python" if finding["paste_kind"] in ("setting", "statement") else "```text",
                    *finding["paste"].splitlines(), "```", "")


def code(path):
    """A program without what its head says to people and tests."""
    lines = path.read_text(encoding="utf-8").splitlines()
    while lines and lines[0].startswith("#"):
        lines.pop(0)
    return [re.split(r"  # (?:HERE|CALL|START)\b", line)[0] for line in lines]


@functools.cache
def known_programs():
    """They are read once, for all pages."""
    return {program.name: program for program in all_programs(HERE)}


def program_of(proofs, finding):
    """The program to show: one that has this finding first, was mended by hand, and is short."""
    kinds = {name: kind for (id, name, kind) in proofs.rows if id == finding}
    known = known_programs()
    at_hand = [known[name] for name in kinds if name in known]
    return min(at_hand, default=None, key=lambda program: (
        finding not in program.first, not program.after, SHOWN_FIRST.index(kinds[program.name]), len(program.text), program.name))


def mended(program):
    before = code(program.path)
    yield from ("## Before", "", f"`tests/advice/{program.path.parent.name}/{program.name}.py`:", "", "```python", *before, "```", "",
                "## After", "")
    if program.after:
        changes = list(difflib.unified_diff(before, code(program.after), lineterm="", n=2))[2:]
        yield from ("```diff", *changes, "```", "")
    else:
        yield from ("The same program with the text of its own report, put where the report says.", "")


def proof(proofs, finding):
    proven = sorted((name, kind, versions) for (id, name, kind), versions in proofs.rows.items() if id == finding)
    yield from ("## Proof", "")
    if proven:
        yield from ("The test runs each program under these versions of PyTorch, does what its report says, and runs it again: the "
                    "finding is gone, the results are the same, and nothing as bad has come.", "",
                    "| program | what is done | PyTorch |", "|---|---|---|")
        for name, kind, versions in proven:
            yield f"| `{name}` | {KINDS[kind]} | {', '.join(sorted(versions, key=in_order))} |"
    else:
        yield "The advice is in words, or depends on more than a program of its own can show: no test follows it."
    yield ""
    for row in absences(HERE):
        if row.finding == finding:
            yield from (f"PyTorch {', '.join(sorted(row.versions, key=in_order))}: {row.why}.", "")


WRITTEN = ("<!-- Written by tests/advice/findings_doc.py from the finding's row in src/analysis/find/finding_table.c, reports of testdata, "
           "and the programs of tests/advice with what was proven of them. -->")


def page(row, traces, proofs):
    finding = row[0].strip("`")
    lines = [f"# {row[1]}", "", WRITTEN, "", f"`{finding}` · severity: {row[2]}", ""]
    example, program = traces.example(finding), program_of(proofs, finding)
    lines += said(example) if example else ["No trace in `testdata` has it.", ""]
    lines += mended(program) if program else []
    lines += proof(proofs, finding)
    lines += [f"PyTorch's documentation: {row[-1].replace('[more]', '[' + finding + ']')}" if "](" in row[-1] else ""]
    return "\n".join(lines).rstrip() + "\n"


def pages(pt2trace, source):
    """Path below docs/ -> text."""
    traces, proofs = Traces(pt2trace, source), Proofs(HERE / "proven.tsv")
    return {f"findings/{finding}.md": page(row, traces, proofs) for finding, row in rows(pt2trace).items()}


def differences(pt2trace, source):
    docs, texts = pathlib.Path(source, "docs"), pages(pt2trace, source)
    there = {str(path.relative_to(docs)) for path in (docs / "findings").glob("*.md")}
    return sorted(there ^ set(texts)) + [name for name in sorted(there & set(texts))
                                         if (docs / name).read_text(encoding="utf-8") != texts[name]]


def write(pt2trace, source):
    docs = pathlib.Path(source, "docs")
    (docs / "findings").mkdir(exist_ok=True)
    for path in (docs / "findings").glob("*.md"):
        path.unlink()
    for name, text in pages(pt2trace, source).items():
        (docs / name).write_text(text, encoding="utf-8")
