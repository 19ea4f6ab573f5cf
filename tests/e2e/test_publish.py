#!/usr/bin/env python3
"""Whoever looks into the output directory finds one whole report, the old or the new, wherever the run that writes it stops.

    test_publish.py PT2TRACE STOP_AT

STOP_AT is the library of stop_at.c: it stops the program at each call that changes files, by a signal or by an error.
Prints TAP.
"""

import concurrent.futures
import errno
import pathlib
import signal
import sys
import tempfile

from program import Program, visible
from tap import Tap
from writer import Writer

MARKER = ".pt2trace-report"
WORKERS = 2


def small_trace(word, compiles):
    w = Writer()
    for frame in range(compiles):
        id = w.compile(frame, 0, function=f"f_{word}")
        for number in range(2):
            w.artifact(f"artifact_{number}", f"{word} {frame} {number}\n" * 20, **id)
    return w.data


class Place:
    """An output directory, and two reports that may be in it. The old one has more files, and others."""

    def __init__(self, program, library, name, words):
        self.program, self.library, self.words = program, library, words
        self.out = program.temp / name / "out"
        self.out.parent.mkdir()
        self.traces, self.reports = {}, {}
        for word, compiles in (("new", 1), ("old", 2)):
            self.traces[word] = self.out.parent / f"{word}.log"
            self.traces[word].write_bytes(small_trace(word, compiles))
            self.write(word)
            self.reports[word] = visible(self.out)

    def command(self, word):
        return ("report", "-q", "-j1", "--no-browser", "--overwrite", "-o", self.out, *self.words, self.traces[word])

    def write(self, word, **stop):
        env = {f"STOP_{name.upper()}": value for name, value in stop.items()}
        return self.program.run(*self.command(word), env={"LD_PRELOAD": self.library, **env} if stop else None)

    def hidden(self):
        return [path.name for path in self.out.iterdir() if path.name.startswith(".") and path.name != MARKER]

    def state(self):
        seen = visible(self.out)
        return next((word for word, report in self.reports.items() if seen == report), "neither")

    def calls(self, **stop):
        count = self.out.parent / "count"
        self.write("new", count=count, **stop)
        self.write("old")
        return int(count.read_text())


def stop_at(place, at, how, expected, **stop):
    """What is wrong when the writing of the new report is stopped there; afterwards the old one is there again."""
    done, wrong = place.write("new", at=at, how=how, **stop), []
    state = place.state()
    if not expected(done.returncode, state):
        wrong.append(f"call {at}: exit {done.returncode}, {state}: {sorted(visible(place.out))[:4]} {done.stderr[-200:]!r}")
    if how > 0 and how != signal.SIGKILL and place.hidden():
        wrong.append(f"call {at}: {place.hidden()} is left behind")
    done = place.write("old")
    if done.returncode or place.state() != "old" or place.hidden():
        wrong.append(f"call {at}: the next report: exit {done.returncode}, {place.state()}, {place.hidden()}, {done.stderr!r}")
    return wrong


def killed(sig):
    return lambda status, state: status in (0, -sig) and state in ("old", "new")


def failed(status, state):
    """Status 3 says that the old report is there still; what fails after the new one is in place fails nothing."""
    return (status, state) in ((3, "old"), (0, "new"))


def each_call(place, how, expected, **stop):
    return [line for at in range(place.calls(**stop)) for line in stop_at(place, at, how, expected, **stop)]


# Where names cannot be exchanged there is a moment without the directory of payloads; without links files move one by one.
HOWS = [
    ("a kill", signal.SIGKILL, killed(signal.SIGKILL), {}, ("none", "all")),
    ("an interrupt", signal.SIGINT, killed(signal.SIGINT), {}, ("none", "all")),
    ("a hangup", signal.SIGHUP, killed(signal.SIGHUP), {}, ("all",)),
    ("an error", -errno.EIO, failed, {}, ("none", "all")),
    ("a full disk", -errno.ENOSPC, failed, {}, ("all",)),
    ("a kill, where names cannot be exchanged", signal.SIGKILL, killed(signal.SIGKILL), {"without": "exchange"}, ("none",)),
    ("an interrupt, where names cannot be exchanged", signal.SIGINT, killed(signal.SIGINT), {"without": "exchange"}, ("all",)),
    ("an error, where names cannot be exchanged", -errno.EIO, failed, {"without": "exchange"}, ("all",)),
    ("an interrupt, without links", signal.SIGINT, killed(signal.SIGINT), {"without": "links"}, ("all",)),
    ("an error, without links", -errno.EIO, failed, {"without": "links"}, ("all",)),
]


def several_writers(tap, program):
    """One at a time: who comes second says so and writes nothing, and nothing is left that no report knows of."""
    place = Place(program, None, "several", ("--artifacts", "all"))
    wrong, statuses = [], []
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for number in range(12):
            for done in pool.map(place.write, ("old", "new", "old", "new")):
                statuses.append(done.returncode)
                if done.returncode and (done.returncode != 3 or b"another pt2trace is writing a report there" not in done.stderr):
                    wrong.append(f"round {number}: exit {done.returncode}: {done.stderr!r}")
            if place.state() == "neither" or place.hidden():
                wrong.append(f"round {number}: {place.state()}, {place.hidden()}, {sorted(visible(place.out))[:4]}")
    tap.empty("four writers at once", wrong)
    tap.point("some of them wrote", statuses.count(0) >= 12, statuses)
    done = program.run("report", "-q", "--no-browser", "-o", place.out, place.traces["new"])
    tap.equal("and afterwards another one does", 0, done.returncode)


def main(pt2trace, library):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace_publish_") as temp, concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        program, library, jobs = Program(pt2trace, temp), pathlib.Path(library).resolve(), []
        for name, how, expected, stop, artifacts in HOWS:
            for which in artifacts:
                place = Place(program, library, f"{len(jobs)}", ("--artifacts", which))
                jobs.append((f"{name} at each call, --artifacts {which}", pool.submit(each_call, place, how, expected, **stop), place, stop))
        for name, job, place, stop in jobs:
            tap.empty(name, job.result())
        calls = [place.calls(**stop) for _, _, place, stop in jobs]
        tap.point("there were calls to stop at", min(calls) > 30, calls)
        several_writers(tap, program)
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
