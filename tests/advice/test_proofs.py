#!/usr/bin/env python3
"""Whether each finding with a text to paste is proven, or says why it cannot be: proven.tsv and absent.tsv. Writes TAP.

usage: test_proofs.py PT2TRACE SOURCE

Nothing is run: test_advice.py does that, and compares with these tables.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

import programs  # noqa: E402
from proofs import KINDS, VERSIONS, Proofs, absences  # noqa: E402
from tap import Tap  # noqa: E402

NAME_KINDS = ("api", "setting", "parameter")


def findings_of(pt2trace):
    """finding -> whether it may have a text to paste."""
    printed = subprocess.run([pt2trace, "findings", "--markdown"], capture_output=True, text=True, check=True).stdout
    return {line.split("`")[1]: line.split("|")[4].strip() == "yes" for line in printed.splitlines() if line.startswith("| `")}


def first_versions(source):
    """(kind, name) -> the first version that has it; of parameters (function, parameter)."""
    known = {}
    for line in pathlib.Path(source, "src/text/names/by_version.txt").read_text(encoding="utf-8").splitlines()[1:]:
        kind, name, since, *rest = line.split("\t")
        known[kind, name] = since
        for word in rest[1:] if kind == "api" else ():
            parameter, _, version = word.partition("@")
            known["parameter", f"{name} {parameter}"] = version.partition("-")[0] or since
    return known


def without_proof(findings, proven, absent):
    """Findings with a text that a version neither proves nor is known to lack."""
    for finding in (name for name, has_text in findings.items() if has_text):
        for version in VERSIONS:
            if version not in proven.get(finding, ()) and not any(row.finding == finding and version in row.versions for row in absent):
                yield f"{finding}: neither proven nor absent in {version}"


def wrong_absences(findings, proven, absent, names, known_programs):
    for row in absent:
        if row.finding not in findings:
            yield f"{row.finding}: there is no such finding"
        if not row.why:
            yield f"{row.finding}: no reason"
        yield from (f"{row.finding}: absent and proven in {v}" for v in sorted(row.versions & proven.get(row.finding, set())))
        yield from (f"{row.finding}: {v} is none of {' '.join(VERSIONS)}" for v in sorted(row.versions - set(VERSIONS)))
        if row.program:
            yield from (f"{row.finding}: there is no program {name}" for name in row.words if name not in known_programs)
        elif row.kind in NAME_KINDS:
            yield from wrong_name(row, names)
        elif row.kind != "gpu" or not row.finding.startswith("gpu-"):
            yield f"{row.finding}: `{row.kind}` shows nothing"


def wrong_name(row, names):
    """A name shows that there is no text where PyTorch has it only in later versions."""
    since = names.get((row.kind, " ".join(row.words)))
    if since is None:
        yield f"{row.finding}: the table has no {row.kind} {' '.join(row.words)}"
        return
    for version in sorted(row.versions):
        if programs.version_key(version) >= programs.version_key(since):
            yield f"{row.finding}: PyTorch {version} has {' '.join(row.words)}, since {since}"


def wrong_proofs(findings, proofs, known_programs):
    for (finding, name, kind), versions in proofs.rows.items():
        program = known_programs.get(name)
        if finding not in findings:
            yield f"{finding}: there is no such finding"
        if kind not in KINDS:
            yield f"{finding}, {name}: no kind of text: {kind}"
        if program is None:
            yield f"{finding}: there is no program {name}"
            continue
        yield from (f"{finding}: {name} does not run in {v}" for v in sorted(versions) if not program.runs_in(v))
        if "known-failing" in program.said:
            yield f"{finding}: {name} is known to fail, and proves nothing"


def tables(tap, pt2trace, source):
    findings, proofs, absent = findings_of(pt2trace), Proofs(HERE / "proven.tsv"), absences(HERE)
    known_programs = {program.name: program for program in programs.all_programs(HERE)}
    proven = {}
    for (finding, _, _), versions in proofs.rows.items():
        proven.setdefault(finding, set()).update(versions)
    names = first_versions(source)
    tap.point("there are findings with and without a text", set(findings.values()) == {True, False})
    tap.empty("each finding with a text is proven in each version, or known not to be there", list(without_proof(findings, proven, absent)))
    tap.empty("what is said to be absent is", list(wrong_absences(findings, proven, absent, names, known_programs)))
    tap.equal("proven.tsv has each row once, in order", proofs.text(), (HERE / "proven.tsv").read_text(encoding="utf-8"))
    tap.empty("each proof has a program that runs in that version", list(wrong_proofs(findings, proofs, known_programs)))
    check_checks(tap, findings, proven, absent, names, known_programs)


def check_checks(tap, findings, proven, absent, names, known_programs):
    """The checks on tables that are wrong."""
    one = next(name for name, has_text in findings.items() if has_text and proven.get(name, set()) >= set(VERSIONS))
    tap.point("a proof less is noticed", list(without_proof(findings, {**proven, one: {"2.13.0"}}, absent)))
    tap.point("so is a row of absent.tsv less", list(without_proof(findings, proven, [row for row in absent if row.finding != "late-backward"])))
    row = next(row for row in absent if row.finding == "late-backward")
    row.versions = {*row.versions, "2.13.0"}
    tap.point("a name that PyTorch has shows nothing", list(wrong_absences(findings, {}, [row], names, known_programs)))
    row.versions, row.words = {"2.6.0"}, ["torch.no.such"]
    tap.point("nor does one that is in no version", list(wrong_absences(findings, {}, [row], names, known_programs)))
    row.kind, row.words = "gpu", []
    tap.point("only findings about GPUs need one", list(wrong_absences(findings, {}, [row], names, known_programs)))
    row.kind, row.words = "program", ["no_such"]
    tap.point("a program that is not there shows nothing", list(wrong_absences(findings, {}, [row], names, known_programs)))


def main(pt2trace, source):
    tap = Tap()
    tables(tap, pt2trace, source)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
