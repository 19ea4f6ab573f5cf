#!/usr/bin/env python3
"""Logs and traces that something happened to: cut, flipped, dropped, doubled, mixed with others. Prints TAP.

usage: test_mutations.py PT2TRACE CASES TESTDATA

Mutations are drawn by a generator that is seeded with the name of the point: every run makes the same ones. Of each, what
must hold for any input is checked: the exit status, that report.json is JSON that does not contradict itself, that no line
of a text is lost, that nothing is counted that the text does not say, the page's markup, and the time.
"""

import collections
import gzip
import html.parser
import json
import pathlib
import random
import re
import sys
import tempfile
import time

from consistency import contradictions
from kept_calls import keep
from program import Program
from tap import Tap

LOGS = ("dynamo_artifacts", "dynamo_short", "dynamo_verbose", "limit", "shapes", "old_bracketed", "old_flat_guards", "pasted",
        "explain", "compile_times", "crash_ranks_mixed", "crash_lowering_ids", "crash_logger_lines", "autotuning", "caches")
TRACES = ("hello", "recompiles", "graph_breaks", "dist2", "errors")
LARGEST = 40_000  # bytes of a seed: what is behind is of the same kinds
PAGES = 5         # of so many mutations, the page of one is looked at
# A report of a mutation may take this much longer than the seed's, and a second for a machine that is busy.
SLOWER, PAUSE = 20, 1.0

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
        "path", "rect", "circle", "line", "use", "polyline", "polygon"}
# What each count of a log needs at least in the text.
RECORDED = {
    "graph_breaks": rb"[Gg]raph [Bb]reak|Break reasons|Break Reasons|Reason: |^\d+\. |Unsupported|Skipping frame|resume_in|"
                    rb"__graph_breaks|\d_\d+\]",
    "recompiles": rb"[Rr]ecompil|torch\._dynamo hit |\[!?\d+/|\bcompile_id\b",
    "errors": rb"Error|Exception|Unsupported|Interrupt|Exit|Killed|fault|terminate|Abort|Assert|\w+:|WON'T CONVERT|^\w+$",
    "compiles": rb"\d+/\d+|Recompiling|hit |function",
}


# --- mutations --------------------------------------------------------------------------------------------------------


def truncated(data, draw):
    return data[:draw.randrange(len(data))]


def beheaded(data, draw):
    return data[draw.randrange(len(data)):]


def flipped(data, draw):
    data = bytearray(data)
    for _ in range(max(1, len(data) // 500)):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(data)


def overwritten(data, draw):
    """Bytes that are no text: NUL, invalid UTF-8, escape sequences, what HTML and JSON live on."""
    data = bytearray(data)
    for _ in range(12):
        at, what = draw.randrange(len(data)), draw.choice((b"\0", b"\xff\xfe", b"\xc3", b"\x1b[31m", b"<script>", b'"\\', b"\r", b"\t"))
        data[at:at + len(what)] = what
    return bytes(data)


def each_line(change):
    def mutate(data, draw):
        lines = data.splitlines(keepends=True)
        return b"".join(piece for i, line in enumerate(lines) for piece in change(line, i, lines, draw))
    mutate.__name__ = change.__name__
    return mutate


@each_line
def dropped(line, i, lines, draw):
    return [] if draw.random() < 0.1 else [line]


@each_line
def doubled(line, i, lines, draw):
    return [line, line] if draw.random() < 0.1 else [line]


@each_line
def carried(line, i, lines, draw):
    return [line.rstrip(b"\n") + b"\r\n"]


@each_line
def huge(line, i, lines, draw):
    return [line, line.rstrip(b"\n") * (200_000 // max(1, len(line))) + b"\n"] if i == len(lines) // 2 else [line]


@each_line
def unfinished(line, i, lines, draw):
    """A prefix that lost a part, or the newline before it."""
    if draw.random() > 0.1 or len(line) < 2:
        return [line]
    cut = draw.randrange(min(len(line) - 1, 60))
    return [draw.choice((line[cut:], line[:cut], line.rstrip(b"\n"), b"[rank%d]:" % draw.randrange(9) + line, b"\n" + line))]


def shuffled(data, draw):
    lines = data.splitlines(keepends=True)
    for _ in range(len(lines) // 10):
        i = draw.randrange(len(lines) - 1)
        lines[i], lines[i + 1] = lines[i + 1], lines[i]
    return b"".join(lines)


def interleaved(data, draw):
    """With itself, as two processes that write to one file without newlines in one write."""
    one, other = data.splitlines(keepends=True), data.replace(b"V1121", b"V1122").splitlines(keepends=True)
    mixed = []
    while one or other:
        take, some = draw.choice((one, other)) or one or other, draw.randrange(1, 4)
        mixed += take[:some]
        del take[:some]
    return b"".join(mixed)


MUTATIONS = (truncated, truncated, truncated, beheaded, beheaded, flipped, flipped, overwritten, overwritten, dropped, doubled,
             carried, huge, unfinished, unfinished, shuffled, interleaved)


# --- what must hold ---------------------------------------------------------------------------------------------------


class Markup(html.parser.HTMLParser):
    """Complains about elements that are not closed, or closed twice."""

    def __init__(self):
        super().__init__()
        self.open, self.complaints = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.complaints.append(f"<{tag}> has an attribute twice")

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.complaints.append(f"</{tag}> closes nothing at {self.getpos()}")


def markup(page):
    parser = Markup()
    parser.feed(page.decode("utf-8"))
    parser.close()
    yield from parser.complaints[:3]
    if parser.open:
        yield f"left open: {parser.open[:5]}"
    ids = collections.Counter(re.findall(rb'\sid="([^"]*)"', re.sub(rb"(?s)<script.*?</script>", b"", page)))
    yield from (f"id {name!r} stands there {count} times" for name, count in ids.items() if count > 1)


def lost_lines(report, data):
    for entry in report["inputs"]:
        if entry["kind"] == "torch_logs" and entry["used"]:
            lines = data.count(b"\n") + (not data.endswith(b"\n"))
            if entry["lines"] != lines or entry["lines_understood"] > lines:
                yield f"{lines} lines, {entry['lines']} read, {entry['lines_understood']} understood"
        if entry["records"] and entry["records"] > data.count(b"\n") + data.count(b"{") + 1:
            yield f"{entry['records']} records"


def unsaid(report, data):
    """Counts above what the text can contain."""
    for name, pattern in RECORDED.items():
        most = len(re.findall(pattern, data, re.MULTILINE))
        if (report["totals"][name] or 0) > most:
            yield f"{name}: {report['totals'][name]}, but the text has {most} at most"


class Bench:
    def __init__(self, pt2trace, temp):
        self.temp, self.program = pathlib.Path(temp), Program(pt2trace, temp)
        self.count = 0

    def run(self, data):
        """Seconds, the finished call, and the folder of the report."""
        path, out = self.temp / "input", self.temp / "out"
        path.write_bytes(data)
        begun = time.monotonic()
        done = self.program.run("report", "-q", "--no-browser", "--overwrite", "-o", out, path)
        return time.monotonic() - begun, done, out

    def complaints(self, data, usual):
        (self.temp / "out" / "report.json").unlink(missing_ok=True)
        taken, done, out = self.run(data)
        self.count += 1
        written = (out / "report.json").exists()
        if done.returncode not in (0, 4) or written != (done.returncode == 0):
            yield f"exit {done.returncode}, {'a' if written else 'no'} report\n{done.stderr.decode(errors='replace')[:2000]}"
            return
        if taken > usual * SLOWER + PAUSE:
            yield f"{taken:.2f} s, but {usual:.2f} s before"
        if not written:
            yield from ([] if done.stderr.strip() else ["nothing is said of why there is no report"])
            return
        report = json.loads((out / "report.json").read_bytes().decode("utf-8", "strict"))
        yield from contradictions(report)
        yield from lost_lines(report, data)
        yield from unsaid(report, data)
        if self.count % PAGES == 0:
            yield from markup((out / "index.html").read_bytes())


def test_seed(tap, bench, name, data):
    usual, done, _ = bench.run(data)
    if not tap.point(f"{name}: the seed is read", done.returncode == 0, done.stderr.decode(errors="replace")):
        return
    found = []
    for i, mutate in enumerate(MUTATIONS):
        draw = random.Random(f"{name} {i}")
        found += [f"{mutate.__name__} ({i}): {complaint}" for complaint in bench.complaints(mutate(data, draw), usual)]
    tap.empty(f"{name}: {len(MUTATIONS)} mutations", found)


def whole_lines(data):
    return data if len(data) <= LARGEST else data[:data.rindex(b"\n", 0, LARGEST) + 1]


def seeds(cases, testdata):
    for name in LOGS:
        yield f"log {name}", whole_lines((cases / "log" / name / "input.log").read_bytes())
    for name in TRACES:
        path = next((testdata / name / "trace").glob("*.gz"))
        yield f"trace {name}", whole_lines(gzip.decompress(path.read_bytes()))


def main(pt2trace, cases, testdata):
    keep(pt2trace)
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        bench = Bench(pt2trace, temp)
        for name, data in seeds(pathlib.Path(cases), pathlib.Path(testdata)):
            test_seed(tap, bench, name, data)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
