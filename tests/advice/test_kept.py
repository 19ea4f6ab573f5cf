#!/usr/bin/env python3
"""What is said of the kept traces of all programs, without running PyTorch. Writes TAP.

usage: test_kept.py PT2TRACE SOURCE

tests/cases/advice.tar.xz has a trace of almost every program of this folder, also of those that only the long suite runs
(tools/make-advice-traces writes it). The head of each program says which finding must come first, where, and what may stand
beside it; proven.tsv, which kind of text it has to paste.
"""

import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))

import judge  # noqa: E402
import programs  # noqa: E402
from proofs import Proofs  # noqa: E402
from tap import Tap  # noqa: E402

VERSION = "2.13.0"  # of the traces
LEAST = 250  # traces that are kept


def lost_texts(proofs, name, findings):
    """Texts that were proven and are not given any more, or as another kind."""
    for (finding, program, kind), versions in proofs.rows.items():
        given = {f["paste_kind"] or "words" for f in findings if judge.id_of(f) == finding}
        if program == name and VERSION in versions and given and kind not in given:
            yield f"{finding}: proven as {kind}, given as {', '.join(sorted(given))}"


def problems_of(pt2trace, trace, program, proofs):
    done = subprocess.run([pt2trace, "export", "--no-verify", "--format", "json", trace], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        return [f"pt2trace export ends with {done.returncode}: {done.stderr}"]
    report = json.loads(done.stdout)
    return [*judge.report_problems(program.under(VERSION), report), *lost_texts(proofs, program.name, report["findings"])]


def main(pt2trace, source):
    tap, known = Tap(), {program.name: program for program in programs.all_programs(HERE)}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        with tarfile.open(pathlib.Path(source, "tests", "cases", "advice.tar.xz")) as archive:
            archive.extractall(folder, filter="data")
        traces = sorted(pathlib.Path(folder).glob("*.log"))
        tap.point(f"{LEAST} traces or more are kept", len(traces) >= LEAST, len(traces))
        tap.empty("each is of a program", [trace.stem for trace in traces if trace.stem not in known])
        traces, proofs = [trace for trace in traces if trace.stem in known], Proofs(HERE / "proven.tsv")
        for trace, problems in zip(traces, pool.map(lambda trace: problems_of(pt2trace, trace, known[trace.stem], proofs), traces)):
            tap.empty(trace.stem, problems)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
