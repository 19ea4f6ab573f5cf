#!/usr/bin/env python3
"""Findings on real traces: those that must be there, no others, and none on the clean ones.

    test_findings.py PT2TRACE SOURCE SHARED

SOURCE/testdata/findings.json says for each trace in testdata which findings each function has: written by hand from what the
program does, never from what pt2trace says of it. A function that is not named has none. Findings that are about no function
stand under "". A finding that depends on how fast the machine was that made the trace is "of the machine": no row has it, and it
must be where the times of the report say so. Prints TAP.
"""

import json
import pathlib
import re
import sys
import tempfile
from collections import Counter

from program import Program
from tap import Tap, report_of, run

RESUMED = re.compile(r"torch_dynamo_resume_in_(.*)_at_\d+$")
NUMBER = re.compile(r"-\d+$")


def functions_of(report):
    """(process, epoch, id) -> name of the function as it was written."""
    names = {}
    for compile_ in report["compiles"]:
        name = (compile_["frame"] or {}).get("name") or ""
        resumed = RESUMED.match(name)
        names[compile_["process"], compile_["epoch"], compile_["id"]] = resumed[1] if resumed else name
    return names


def found_in(report):
    """{function: Counter of ids}"""
    names, found = functions_of(report), {}
    for finding in report["findings"]:
        refs = finding["compile_refs"]
        where = names.get((refs[0]["process"], refs[0]["epoch"], refs[0]["id"]), "") if refs else ""
        found.setdefault(where, Counter())[NUMBER.sub("", finding["id"])] += 1
    return found


def lines_of(found):
    return sorted(f"{function or '-'}: {id}" for function, ids in found.items() for id, n in ids.items() for _ in range(n))


def of_machine(report):
    """
    Findings that a trace has when the machine that made it was slow: compilers that took half of 30 s or more, unless a
    block that is compiled again and again is named as their cause.
    """
    if any(finding["id"] == "repeated-block" and finding["severity"] != "info" for finding in report["findings"]):
        return
    compilers = sum(phase["self_s"] for phase in report["phases"] if phase["phase"] == "compiler")
    if compilers >= 30 and compilers * 2 >= sum(phase["self_s"] for phase in report["phases"]):
        yield "slow-compilers"


def expected_of(expected, report):
    return sorted([*(f"{function or '-'}: {id}" for function, ids in expected.items() for id in ids),
                   *(f"-: {id}" for id in of_machine(report))])


# An export has no compile id.
WITHOUT_COMPILE = {"trace-damaged", "missing-fake-kernel", "export-guard", "wrong-fake-kernel", "data-dependent"}


def incomplete(report):
    """What a finding lacks that it must have."""
    for finding in report["findings"]:
        serious = finding["severity"] != "info"
        if not finding["title"] or finding["title"].endswith("."):
            yield f"{finding['id']}: title {finding['title']!r}"
        if serious and not finding["fix"]:
            yield f"{finding['id']}: no fix"
        if not (finding["doc"] or "").startswith("https://"):
            yield f"{finding['id']}: documentation {finding['doc']!r}"
        if serious and not finding["compiles"] and finding["id"] not in WITHOUT_COMPILE:
            yield f"{finding['id']}: no evidence"


NOUNS = ("argument break call cause change collective compile error file finding frame function graph guard input kernel launch line node operator "
         "place rank record recompile restart size symbol tensor time warning").split()
ONE_OF_MANY = re.compile(rf"(?<![\w.,:/\]\[-])1 (?:\w+ )?({'|'.join(NOUNS)})(?:e?s)\b(?!\.\w)|(?<![\w.,:/\]\[-])(?:[2-9]|\d\d+) ({'|'.join(NOUNS)})\b(?![\w`-]| [a-z]*s\b)")


def disagreeing(report, summary):
    """Numbers and nouns that do not agree: "1 compiles", "2 rank"."""
    texts = [text for finding in report["findings"] for text in (finding["title"], finding["detail"], finding["fix"]) if text]
    texts += [run["verdict"] for run in report["ranks"]["runs"] if run["verdict"]]
    for text in [*texts, " ".join(summary.split())]:
        yield from (match[0] for match in ONE_OF_MANY.finditer(text))


SHOWN = 6  # findings that a summary has at least


def unexpected_texts(report, rows):
    """Texts of findings that the table says to have none."""
    for finding in report["findings"]:
        if finding["paste"] and rows[NUMBER.sub("", finding["id"])].split("|")[4].strip() != "yes":
            yield f"{finding['id']}: {finding['paste']}"


def check_summary(tap, program, testdata, name, report):
    """
    The summary concludes from the same records as the report: the titles of its causes stand there, in whatever lines. And what is counted agrees with
    its number, here and there.
    """
    with tempfile.TemporaryDirectory() as temp:
        text = Program(program, temp).run("summary", (testdata / name).resolve()).stdout.decode()
    tap.empty(f"{name}: numbers and nouns agree", list(disagreeing(report, text)))
    words, causes = "".join(text.split()), [f["title"] for f in report["findings"] if not f["follows_from"]]
    tap.empty(f"{name}: the summary says the same", [title for title in causes[:SHOWN] if "".join(title.split()) not in words])


def check_trace(tap, program, testdata, name, expected, seen, rows):
    with tempfile.TemporaryDirectory() as temp:
        report = report_of(program, pathlib.Path(temp) / "report", testdata / name)
    found = found_in(report)
    for ids in found.values():
        seen.update(ids)
    tap.equal(f"{name}: the findings", expected_of(expected, report), lines_of(found))
    tap.empty(f"{name}: each has what it must have", list(incomplete(report)))
    tap.empty(f"{name}: texts to paste only where the table has them", list(unexpected_texts(report, rows)))
    check_summary(tap, program, testdata, name, report)


def check_redacted(tap, program, testdata, name):
    """What is shared with strangers has the same findings: only the path shows that a function belongs to a package."""
    kinds = []
    for options in ((), ("--redact",)):
        with tempfile.TemporaryDirectory() as temp:
            report = report_of(program, pathlib.Path(temp) / "report", testdata / name, options=options)
        ids = (NUMBER.sub("", finding["id"]) for finding in report["findings"])
        kinds.append(Counter("break-c-function" if id == "break-library" else id for id in ids))
    tap.equal(f"{name}: the same findings when it is redacted", *kinds)


def check_shared(tap, program, traces, expected):
    """Large traces that lie beside the repository: what must be there among others, and nothing else where that is `clean`."""
    for name, ids in expected.items():
        if not (traces / name).is_dir():
            tap.skip(f"{name}: the findings", "not there")
            continue
        with tempfile.TemporaryDirectory() as temp:
            report = report_of(program, pathlib.Path(temp) / "report", traces / name / "trace")
        found = {id for counter in found_in(report).values() for id in counter}
        tap.empty(f"{name}: findings that are missing", sorted(set(ids) - found))
        if ids == ["clean"]:
            tap.equal(f"{name}: nothing else", {"clean"}, found)


def table_of(program):
    """{id: row} of the table that the program prints."""
    with tempfile.TemporaryDirectory() as temp:
        text = Program(program, temp).run("findings", "--markdown").stdout.decode()
    return {row.split("`")[1]: row for row in text.splitlines() if row.startswith("| `")}


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    truth = json.loads((source / "testdata" / "findings.json").read_text(encoding="utf-8"))
    tap, seen = Tap(), set()
    rows = table_of(program)
    text = run(sys.executable, source / "tests" / "advice" / "findings_doc.py", program).stdout.decode()
    tap.point("docs/findings.md has the table as it is", text in (source / "docs" / "findings.md").read_text(encoding="utf-8"))
    sys.path.insert(0, str(source / "tests" / "advice"))
    import finding_pages  # pylint: disable=import-outside-toplevel

    tap.empty("docs/findings has the pages as tests/advice/findings_doc.py --write makes them", finding_pages.differences(program, source))
    tap.empty("every trace is listed", sorted({path.parent.name for path in (source / "testdata").glob("*/trace")}
                                               ^ {name.split("/")[0] for name in truth["traces"] if not name.startswith("logs/")}))
    said = "1 compiles, 2 rank and 12 graph, not 1 compile, 2 ranks, [0/1] compiles, 1.2 s, 21 graphs or 2 graph breaks"
    tap.equal("the check of numbers and nouns sees what does not agree", ["1 compiles", "2 rank", "12 graph"],
              list(disagreeing({"findings": [], "ranks": {"runs": []}}, said)))
    for name, expected in truth["traces"].items():
        check_trace(tap, program, source / "testdata", name, expected, seen, rows)
    for name in ("break_causes/trace", "recompile_causes/trace"):
        check_redacted(tap, program, source / "testdata", name)
    rows_of_machine = [name for name, expected in truth["traces"].items() for ids in expected.values() if set(ids) & set(truth["of the machine"])]
    tap.empty("no row depends on how fast a machine was", rows_of_machine)
    check_shared(tap, program, pathlib.Path(sys.argv[3]) / "traces", truth["shared"])
    tap.empty("every finding is in the table", sorted(seen - set(rows)))
    tap.equal("findings that no trace has", sorted(truth["in no trace"]), sorted(set(rows) - seen))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
