#!/usr/bin/env python3
"""Logs and traces whose records got lost, came twice or in another order, or say something else, or which stand behind those of another, and what each command makes of whole ones. Prints TAP.

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
import tarfile
import tempfile
import zlib

from damages import other_text
from kept_facts import check_kept, differing
from program import Program
from tap import Tap

LARGEST = 400_000
# Of an input, and of a trace of an advice program, of which there are hundreds.
LOSSES_OF_AN_INPUT, LOSSES_OF_ADVICE = 5, 2
OUTPUTS_OF_AN_INPUT, OUTPUTS_OF_ADVICE = 3, 1
CHANGES_OF_AN_INPUT, CHANGES_OF_ADVICE = 3, 3
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


SHIFT = 100  # of frames; a trace of an advice program has fewer
EACH = 5  # of so many records one says something else


def other_value(value, choice):
    kind = choice % 4
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, (int, float)):
        return (0, value + 1, value * 1000, -value)[kind]
    if isinstance(value, str):
        return ("", other_text(value, choice // 4), value + " quokka", None)[kind]
    return [*value][:len(value) // 2] if isinstance(value, list) else {}


def change_member(value, choice):
    """Changes one member, at any depth, of a record's JSON, or takes it away."""
    keys = sorted(value) if isinstance(value, dict) else range(len(value))
    key = keys[choice % len(keys)]
    choice //= len(keys)
    if isinstance(value[key], (dict, list)) and value[key] and choice % 5:
        change_member(value[key], choice // 5)
    elif choice % 6 == 0 and isinstance(value, dict):
        del value[key]
    else:
        value[key] = other_value(value[key], choice // 6)


def other_record(record, choice):
    head, newline, payload = record.partition(b"\n")
    start, bracket, members = head.partition(b"] {")
    if bracket and (not payload or choice % 2):
        try:
            value = json.loads(b"{" + members)
        except ValueError:
            return record
        if value:
            change_member(value, choice // 2)
        return start + b"] " + json.dumps(value).encode() + newline + payload
    if not bracket:
        start, bracket, text = b"", b"", record
    else:
        text = payload
    changed = other_text(text.decode(errors="surrogateescape"), choice // 2).encode(errors="surrogateescape")
    return (head + newline if bracket else b"") + re.sub(rb"\n(?=[^\t\n])", rb"\n\t" if bracket else rb"\n", changed)


def changed(name, turn):
    def change(records):
        choices = [zlib.crc32(f"{name}, {turn}, {i}".encode()) for i in range(len(records))]
        return [other_record(record, choice // EACH) if choice % EACH == 0 else record for record, choice in zip(records, choices)]
    return change


def in_one_process(first, second):
    """Two traces as one of a program that did both: frames of the second have other numbers."""
    (name, before), behind = *first.items(), *second.values()
    process = re.match(rb"\S+ \S+ (\d+) ", before)
    behind = re.sub(rb'("frame_id": )(\d+)', lambda m: m[1] + b"%d" % (int(m[2]) + SHIFT), behind)
    behind = re.sub(rb'(")(\d+)(/\d+(?:_\d+)?")', lambda m: m[1] + b"%d" % (int(m[2]) + SHIFT) + m[3], behind)
    behind = re.sub(rb"(?m)^([VIWE]\d{4} \S+ )\d+ ", lambda m: m[1] + process[1] + b" ", behind) if process else behind
    return {name: before + behind}


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
    with tarfile.open(source / "tests/cases/advice.tar.xz") as archive:
        # In the order of the archive: to go back in it is to unpack it again from its beginning.
        traces = {member.name: archive.extractfile(member).read() for member in archive if member.size <= LARGEST}
    for name, text in sorted(traces.items()):
        yield f"advice/{pathlib.Path(name).stem}", {pathlib.Path(name): text}


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


def said_of(whole, damaged):
    return f"exit {damaged}" if isinstance(damaged, int) else differing({} if isinstance(whole, int) else whole, damaged)


def rows_of(program, name, texts, next):
    whole, advice = read(program, texts, list), name.startswith("advice/")
    for loss in chosen(name, LOSSES, LOSSES_OF_ADVICE if advice else LOSSES_OF_AN_INPUT):
        damaged = read(program, texts, LOSSES[loss])
        yield f"{name}\t{loss}\t{said_of(whole, damaged)}"
    for turn in range(CHANGES_OF_ADVICE if advice else CHANGES_OF_AN_INPUT):
        damaged = read(program, texts, changed(name, turn))
        yield f"{name}\tother values {turn}\t{said_of(whole, damaged)}"
    if advice:
        yield f"{name}\tand the next\t{said_of(whole, read(program, in_one_process(texts, next), list))}"
    for words in chosen(name, OUTPUTS, OUTPUTS_OF_ADVICE if advice else OUTPUTS_OF_AN_INPUT):
        yield f"{name}\t{' '.join(words)}\t{printed(program, texts, words)}"


def main(pt2trace, source, *options):
    tap, source = Tap(), pathlib.Path(source)
    with tempfile.TemporaryDirectory() as temp, concurrent.futures.ThreadPoolExecutor(2) as pool:
        program = Program(pt2trace, temp)
        program.version = program.run("--version").stdout.split()[1]
        all = list(inputs(source))
        rows = [pool.submit(lambda *of: list(rows_of(*of)), program, *of, next) for of, (_, next) in zip(all, all[1:] + all[:1])]
        check_kept(tap, source / "tests/cases/losses.tsv", [row for done in rows for row in done.result()], "--write" in options)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
