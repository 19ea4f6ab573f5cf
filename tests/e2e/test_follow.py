#!/usr/bin/env python3
"""`pt2trace follow`: real traces that are written again while it watches, and with --torch a program under PyTorch.

    test_follow.py PT2TRACE TESTDATA [--torch PYTHON]

Prints TAP.
"""

import gzip
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time

from tap import Tap, run
from writer import Writer

PATIENCE = 120  # seconds after which something that should come is missing
PROGRAM = """
import os, sys, time, torch

@torch.compile(backend="eager")
def says(x):
    y = x + 1
    print("hello")
    return y * 2

def never_ends(gm, inputs):
    time.sleep(600)

@torch.compile(backend=never_ends)
def hangs(x):
    return x.sin()

says(torch.ones(3))
hangs(torch.ones(3))
"""


class Follower:
    """A pt2trace that follows; its lines are taken as they come."""

    def __init__(self, pt2trace, *args):
        self.process = subprocess.Popen([str(word) for word in (pt2trace, "follow", *args)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.errors = []
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()
        self.rest = b""

    def line(self):
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                return None
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            if not part:
                return None
            self.rest += part
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode()

    def until(self, wanted):
        """Events up to the first that `wanted` accepts, which is the last; None in its place when none comes."""
        events = []
        while not events or not wanted(events[-1]):
            line = self.line()
            if line is None:
                return events + [None]
            events.append(json.loads(line))
        return events

    def complaint(self):
        """Waits for something to be said on standard error."""
        for _ in range(PATIENCE * 20):
            if self.errors:
                break
            time.sleep(0.05)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, (self.rest + out).decode()


def unpacked(testdata, name):
    return [gzip.open(path).read() for path in sorted((testdata / name / "trace").glob("*.log.gz"))]


def is_event(name, **members):
    return lambda e: e["event"] == name and all(e.get(k) == v for k, v in members.items())


def halves(data):
    """Cut in the middle of a line, behind the beginning of a compile."""
    cut = data.index(b"\n", data.index(b'{"dynamo_start"', len(data) // 2)) + 40
    return data[:cut], data[cut:]


def events_of(report):
    """What a report says, as the events that following it should have given."""
    return {("compile", c["id"]) for c in report["compiles"] if c["status"] != "incomplete"} | \
        {("recompile", r["compile"]) for r in report["recompiles"]} | \
        {("graph_break", f"{b['file']}:{b['line']}") for b in report["graph_breaks"]}


def events_seen(events):
    return {(e["event"], f"{e['file']}:{e['line']}" if e["event"] == "graph_break" else e["compile"])
            for e in events if e["event"] in ("compile", "recompile", "graph_break")}


def test_directory(tap, pt2trace, testdata, temp):
    """A directory that is not there yet; a trace that grows; another rank; one that is emptied and written again."""
    traces = temp / "traces"
    follower = Follower(pt2trace, "--json", traces)
    (breaks,), (again,) = unpacked(testdata, "graph_breaks"), unpacked(testdata, "recompiles")
    first, second = halves(breaks)
    follower.complaint()
    traces.mkdir()
    with open(traces / "dedicated_log_torch_trace_a.log", "ab", buffering=0) as f:
        f.write(first)
        seen = follower.until(is_event("state"))
        tap.point("half of a trace: what is compiled now", seen[-1] and len(seen[-1]["compiling"]) == 1, seen[-1:])
        f.write(second)
    seen += follower.until(lambda e: e["event"] == "state" and not e["compiling"])
    (traces / "dedicated_log_torch_trace_b.log").write_bytes(again)
    seen += follower.until(lambda e: e["event"] == "state" and e["processes"] == 2)
    done = run(pt2trace, "export", "--format", "json", traces)
    tap.equal("every compile, break and recompile, once each", events_of(json.loads(done.stdout)), events_seen(seen))
    keys = [e["key"] for e in seen if "key" in e]
    tap.equal("no event comes twice", len(keys), len(set(keys)))
    tap.point("breaks come with what to do", all(e["fix"] for e in seen if e["event"] == "graph_break"), seen[:3])
    os.truncate(traces / "dedicated_log_torch_trace_a.log", 0)
    gone = follower.until(lambda e: e["event"] == "state" and e["processes"] == 1)
    tap.point("a file that was emptied holds nothing any more", gone[-1] is not None)
    status, _ = follower.end()
    tap.equal("Ctrl-C is its end", 0, status)
    text = b"".join(follower.errors).decode()
    tap.point("that it waits for the directory is said", f"{traces}: not there yet" in text, text)
    tap.point("and that a file begins again", "truncated, replaced or rewritten" in text, text)


def test_plain(tap, pt2trace, testdata, temp):
    traces = temp / "plain"
    traces.mkdir()
    (breaks,) = unpacked(testdata, "graph_breaks")
    (traces / "dedicated_log_torch_trace_a.log").write_bytes(breaks)
    follower = Follower(pt2trace, traces)
    line = follower.line()
    tap.point("lines, without a terminal", line is not None and line.startswith("compiled [0/0] says_hello"), line)
    status, rest = follower.end()
    tap.point("no escape sequence is in them", status == 0 and "\x1b" not in rest, rest[:200])
    tap.point("a graph break, and below it what to do",
              re.search(r"^graph break \[0/0\] \(graph_breaks.py:19\).*?\n    Printing stops the graph", rest, re.M | re.S), rest)
    tap.point("the end says how many", rest.rstrip().endswith("0 errors so far"), rest[-200:])


def page_stays(report, compiles):
    """Whether the report has that many compiles in the end, and how often it is written in the 4 s from then on."""
    written, end = set(), time.monotonic() + PATIENCE
    is_whole = False
    while time.monotonic() < end:
        if not is_whole and len(json.loads(report.read_text())["compiles"]) == compiles:
            is_whole, end = True, time.monotonic() + 4
        if is_whole:
            written.add(report.stat().st_mtime_ns)
        time.sleep(0.1)
    return is_whole, len(written)


def test_page(tap, pt2trace, testdata, temp):
    traces, page = temp / "paged", temp / "page"
    traces.mkdir()
    (text,) = unpacked(testdata, "recompiles")
    first, second = halves(text)
    trace = traces / "dedicated_log_torch_trace_a.log"
    trace.write_bytes(first)
    follower = Follower(pt2trace, "--json", "--html", page, traces)
    follower.until(is_event("state"))
    # The page is in its place when the next look begins, at the latest.
    with open(trace, "ab") as f:
        f.write(second)
    follower.until(is_event("state"))
    tap.point("the page loads itself again", 'http-equiv="refresh"' in (page / "index.html").read_text())
    all_of_it = json.loads(run(pt2trace, "export", "--format", "json", traces).stdout)
    is_whole, written = page_stays(page / "report.json", len(all_of_it["compiles"]))
    tap.point("the page is written again when the trace has more", is_whole)
    tap.equal("not again when it has not", 1, written)
    follower.end()
    tap.point("not any more when following ended", 'http-equiv="refresh"' not in (page / "index.html").read_text())
    with tempfile.TemporaryDirectory() as whole:
        run(pt2trace, "report", "-q", "--no-browser", "--no-verify", "-o", whole, traces)
        there, then = (json.loads((pathlib.Path(d) / "report.json").read_text()) for d in (page, whole))
    tap.equal("its facts are those of the report", [then[k] for k in ("totals", "compiles", "findings", "messages")],
              [there[k] for k in ("totals", "compiles", "findings", "messages")])


def test_terminal(tap, pt2trace, testdata, temp):
    """A block at the bottom, which is drawn again."""
    traces = temp / "drawn"
    traces.mkdir()
    (killed,) = unpacked(testdata, "killed")
    (traces / "dedicated_log_torch_trace_a.log").write_bytes(killed)
    master, slave = pty.openpty()
    process = subprocess.Popen([str(pt2trace), "follow", str(traces)], stdout=slave, stderr=slave)
    os.close(slave)
    shown = b""
    while shown.count(b"compiling [1/0] does_not") < 2 and select.select([master], [], [], PATIENCE)[0]:
        shown += os.read(master, 1 << 16)
    process.send_signal(signal.SIGINT)
    tap.point("a compile without an end is shown, and drawn again over itself",
              re.search(rb"compiling \[1/0\] does_not.*\x1b\[\dA\x1b\[J.*compiling \[1/0\] does_not", shown, re.S), shown[-600:])
    tap.point("what ended is printed once", shown.count(b"compiled [0/0] survives") == 1, shown)
    tap.equal("Ctrl-C ends it on a terminal, too", 0, process.wait(PATIENCE))
    os.close(master)


def test_many(tap, pt2trace, testdata, temp):
    """More compiles at a time than are shown."""
    for number, more in ((6, None), (7, b"and 1 more compiles"), (9, b"and 3 more compiles")):
        traces = temp / f"many{number}"
        traces.mkdir()
        for rank in range(number):
            w = Writer(pid=100 + rank, rank=rank)
            w.start("f", 3, frame_id=0, frame_compile_id=0, attempt=0)
            (traces / f"dedicated_log_torch_trace_rank_{rank}_x.log").write_bytes(w.data)
        master, slave = pty.openpty()
        process = subprocess.Popen([str(pt2trace), "follow", "--once", str(traces)], stdout=slave, stderr=slave)
        os.close(slave)
        shown = b""
        while b"so far" not in shown and select.select([master], [], [], PATIENCE)[0]:
            shown += os.read(master, 1 << 16)
        process.wait(PATIENCE)
        os.close(master)
        tap.point(f"{number} compiles at a time", shown.count(b"compiling [") == 6 and (more in shown if more else b"more compiles" not in shown), shown)


def test_silent(tap, pt2trace, testdata, temp):
    """A rank that wrote nothing for a minute in which others did; not one that is 50 s behind, nor one of an earlier run."""
    for seconds, silent in ((50, []), (150, [0])):
        traces = temp / f"silent{seconds}"
        traces.mkdir()
        for rank in range(3):
            w = Writer(pid=100 + rank, rank=rank)
            w.compile(0, 0)
            for _ in range(seconds // 25 if rank else 0):
                w.ms += 25_000
                w.compile(1, 0)
            (traces / f"dedicated_log_torch_trace_rank_{rank}_x.log").write_bytes(w.data)
        events = [json.loads(line) for line in run(pt2trace, "follow", "--once", "--json", traces).stdout.splitlines()]
        states = [e for e in events if e["event"] == "state"]
        tap.equal(f"{seconds} s behind the others", silent, [s["rank"] for s in states[-1]["silent"]])
        tap.point(f"{seconds} s behind the others: a line", (b"has written nothing for" in run(pt2trace, "follow", "--once", traces).stdout) == bool(silent))


def test_rotated(tap, pt2trace, testdata, temp):
    """A trace that is renamed, and another one begun under its name, as logrotate does."""
    traces = temp / "rotated"
    traces.mkdir()
    (breaks,), (again,) = unpacked(testdata, "graph_breaks"), unpacked(testdata, "recompiles")
    trace = traces / "dedicated_log_torch_trace_a.log"
    trace.write_bytes(breaks)
    follower = Follower(pt2trace, "--json", traces)
    seen = follower.until(is_event("state"))
    trace.rename(traces / "dedicated_log_torch_trace_a.log.1")
    trace.write_bytes(again)
    seen += follower.until(lambda e: e["event"] == "state" and e["processes"] == 2)
    status, _ = follower.end()
    done = run(pt2trace, "export", "--format", "json", traces)
    tap.equal("rotated: events of both files, once each", (0, events_of(json.loads(done.stdout))), (status, events_seen(seen)))


BAD = [
    ("a directory that is not there", ("--once", "{}/none"), 3, "No such file"),
    ("a directory without a trace", ("--once", "{}"), 4, "no trace and no log found"),
    ("no path", (), 2, "no PATH given"),
    ("a page among files of others", ("--once", "--html", "{}/foreign", "{}"), 3, "files that pt2trace did not write"),
    ("two words for one thing", ("--once", "--jsn", "{}"), 2, "did you mean --json?"),
]


def test_bad(tap, pt2trace, testdata, temp):
    empty = temp / "empty"
    (empty / "foreign").mkdir(parents=True)
    (empty / "foreign" / "notes").write_text("mine\n")
    for name, args, status, words in BAD:
        done = run(pt2trace, "follow", *(a.format(empty) for a in args))
        tap.point(name, done.returncode == status and words in done.stderr.decode() and not done.stdout,
                  done.returncode, done.stderr.decode())
    tap.equal("nothing was written", ["foreign", "foreign/notes"],
              sorted(str(p.relative_to(empty)) for p in empty.rglob("*")))
    done = run(pt2trace, "follow", "--once", testdata / "killed" / "trace")
    tap.point("once: what there is by now", done.returncode == 0 and b"compiling [1/0] does_not" in done.stdout, done.stdout)


def test_torch(tap, pt2trace, python, temp):
    """A program that is watched and killed in the middle of a compile, and one under `run --follow`."""
    traces, program = temp / "live", temp / "live.py"
    program.write_text(PROGRAM)
    follower = Follower(pt2trace, "--json", traces)
    process = subprocess.Popen([python, program], env={**os.environ, "TORCH_TRACE": str(traces)}, stdout=subprocess.DEVNULL)
    seen = follower.until(lambda e: e["event"] == "state" and any(c["name"] == "hangs" for c in e["compiling"]))
    tap.point("the break came while the program ran", any(map(is_event("graph_break", line=7), seen[:-1])), seen[-3:])
    compiling = seen[-1] and seen[-1]["compiling"][0]
    tap.point("the compile that does not end, with what it does", compiling and compiling["phase"] and not compiling["gone"]
              and compiling["pid"] == process.pid, compiling)
    process.kill()
    process.wait()
    seen = follower.until(lambda e: e["event"] == "state" and e["compiling"] and e["compiling"][0]["gone"])
    tap.point("that its process is gone", seen[-1] is not None)
    tap.equal("Ctrl-C", 0, follower.end()[0])
    done = run(pt2trace, "run", "--follow", "--time-limit", "40s", "--no-browser", "-q", "-o", temp / "run", "--", python, program)
    tap.point("run --follow prints events to standard error, the program's output is its own",
              b"graph break [0/0] (live.py:7)" in done.stderr and done.stdout == b"hello\n", done.stderr.decode())


def main():
    pt2trace, testdata = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        if "--torch" in sys.argv:
            test_torch(tap, pt2trace, sys.argv[-1], pathlib.Path(temp))
        else:
            for test in (test_directory, test_plain, test_page, test_terminal, test_many, test_silent, test_rotated, test_bad):
                test(tap, pt2trace, testdata, pathlib.Path(temp))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
