#!/usr/bin/env python3
"""Logs and traces whose records got lost, or came twice or in another order, and what each command makes of whole ones. Prints TAP.

usage: test_losses.py PT2TRACE SOURCE [--write]

tests/cases/losses.tsv has a row for each damaged input: which parts of report.json differ from those of the whole one, and a
digest of all; and one with a digest for each of some outputs of the whole one. That nothing crashes, and what a lost record means, other tests ask (test_mutations.py, tests/cases/trace);
this one notices what changes: judge each row that `--write` changes by running that input.
"""

import concurrent.futures
import gzip
import hashlib
import json
import pathlib
import re
import sys
import tempfile
import zlib

from kept_facts import check_kept, differing
from program import Program
from tap import Tap

LARGEST = 400_000
LOSSES_OF_AN_INPUT = 5
OUTPUTS_OF_AN_INPUT = 3
OUTPUTS = [["summary"], ["findings"], ["show"], ["export", "--redact", "--format", "json"], ["export", "--redact", "--format", "markdown"],
           *(["export", "--format", form] for form in ("markdown", "sarif", "junit", "perfetto", "speedscope", "collapsed"))]


def lost(which):
    return lambda records: [record for i, record in enumerate(records) if not which(i, len(records))]


def doubled(records):
    return [copy for i, record in enumerate(records) for copy in [record] * (1 + (i % 7 == 3))]


def swapped(records):
    return [record for i in range(0, len(records), 2) for record in (records[i:i + 2] if i % 3 else reversed(records[i:i + 2]))]


LOSSES = {
    "each fifth lost": lost(lambda i, n: i % 5 == 2),
    "two of three lost": lost(lambda i, n: i % 3 > 0),
    "beginning lost": lost(lambda i, n: i < n / 3),
    "end lost": lost(lambda i, n: i > n / 2),
    "middle lost": lost(lambda i, n: n / 3 < i < n / 2),
    "some doubled": doubled,
    "some swapped": swapped,
}


def texts_of(path):
    """{path below it: bytes} of an input, which may be packed."""
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    return {(file.relative_to(path) if file != path else pathlib.Path(file.name)).with_suffix("" if file.suffix == ".gz" else file.suffix):
            gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes() for file in files}


def inputs(source):
    """(name, its texts)"""
    places = [*(source / "tests/cases/log").glob("*/input.log"), *(source / "tests/cases/trace").glob("*/input*"), *(source / "testdata").glob("*/trace")]
    for path in sorted(places):
        texts = texts_of(path)
        if sum(map(len, texts.values())) <= LARGEST:
            yield f"{path.parent.parent.name}/{path.parent.name}", texts


def records_of(text):
    """A record with its payload, which begins with a tab, is one."""
    return re.findall(rb"[^\n]*\n(?:\t[^\n]*\n)*|[^\n]+$", text)


def run(program, texts, change, words):
    with tempfile.TemporaryDirectory(dir=program.temp) as folder:
        for name, text in texts.items():
            place = pathlib.Path(folder, "input", name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(b"".join(change(records_of(text))))
        return program.run(*words, "input", cwd=folder)


def read(program, texts, change):
    done = run(program, texts, change, ["export", "--format", "json"])
    return json.loads(done.stdout) if done.returncode == 0 else done.returncode


def printed(program, texts, words):
    """A digest, and the length, of what a command prints of the whole."""
    done = run(program, texts, list, words)
    text = done.stdout.replace(program.version, b"VERSION")
    text = re.sub(rb"==== [0-9a-f]{16}", b"==== MARK", text)
    return f"{hashlib.md5(text).hexdigest()[:12]}\t{len(text)} bytes, exit {done.returncode}"


def chosen(name, list_, most):
    """Which stay the same when another input or another member is added."""
    return sorted(list_, key=lambda member: zlib.crc32(f"{name}, {member}".encode()))[:most]


def rows_of(program, name, texts):
    whole = read(program, texts, list)
    for loss in chosen(name, LOSSES, LOSSES_OF_AN_INPUT):
        damaged = read(program, texts, LOSSES[loss])
        said = f"exit {damaged}" if isinstance(damaged, int) else differing({} if isinstance(whole, int) else whole, damaged)
        yield f"{name}\t{loss}\t{said}"
    for words in chosen(name, OUTPUTS, OUTPUTS_OF_AN_INPUT):
        yield f"{name}\t{' '.join(words)}\t{printed(program, texts, words)}"


def main(pt2trace, source, *options):
    tap, source = Tap(), pathlib.Path(source)
    with tempfile.TemporaryDirectory() as temp, concurrent.futures.ThreadPoolExecutor(2) as pool:
        program = Program(pt2trace, temp)
        program.version = program.run("--version").stdout.split()[1]
        rows = [pool.submit(lambda *of: list(rows_of(*of)), program, *of) for of in inputs(source)]
        check_kept(tap, source / "tests/cases/losses.tsv", [row for done in rows for row in done.result()], "--write" in options)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
