#!/usr/bin/env python3
"""A console on which all ranks wrote says of each rank what its own file says. Prints TAP.

usage: test_ranks.py PT2TRACE TESTDATA

TESTDATA/logs/dist4 is one run of torchrun --tee: its console, where each line begins with "[default2]:", what it wrote for
each rank (torchrun/attempt_0/2/stderr.log), and the traces. From the console two others are made, as other launchers leave
them: with PyTorch's "[rank2]:" alone, and with nothing but the process ids of the messages themselves.
"""

import collections
import gzip
import pathlib
import re
import sys
import tempfile

import test_logs
from kept_calls import keep
from tap import Tap, report_of

def unpack(folder, target):
    """A copy of a folder as its program wrote it."""
    for path in folder.rglob("*.gz"):
        place = target / path.relative_to(folder).with_suffix("")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(gzip.decompress(path.read_bytes()))
    return target


def without_ranks(report):
    return {name: [{**item, "rank": None} for item in value] if isinstance(value, list) else value for name, value in report.items()}


def of_rank(report, rank):
    return {name: [item for item in value if item.get("rank") == rank] if isinstance(value, list) else value
            for name, value in report.items()}


def exceptions(report):
    """Without whose they are."""
    return collections.Counter((e["type"], e["message"], e["file"], e["line"]) for e in report["errors"])


def breaks(report):
    """The same of graph breaks."""
    return sum((collections.Counter({(b["file"], b["line"], b["type"]): b["count"]}) for b in report["graph_breaks"]),
               collections.Counter())


def processes(report):
    return collections.Counter((c["rank"], c["pid"]) for c in report["compiles"])


FACTS = {**test_logs.FACTS, "processes": processes}
EXPECTED = {"graph breaks", "recompiles", "errors", "compiles", "frames", "guards", "processes"}  # what the program does


def compare(tap, name, expected, found, leave_out=()):
    for fact, find in FACTS.items():
        if fact in leave_out:
            continue
        tap.point(f"{name}: {fact} are there at all", find(expected) or fact not in EXPECTED)
        tap.empty(f"{name}: {fact}", list(test_logs.differences(find(expected), find(found))))


class Temp:
    def __init__(self, pt2trace, folder):
        self.folder = pathlib.Path(folder)
        self.call = (pathlib.Path(pt2trace).resolve(), self.folder / "out")

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


def main(pt2trace, testdata):
    keep(pt2trace)
    tap = Tap()
    data = pathlib.Path(testdata) / "logs" / "dist4"
    console = gzip.decompress((data / "logs.txt.gz").read_bytes()).decode("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        temp = Temp(pt2trace, folder)
        tree, trace = unpack(data / "torchrun", temp.folder / "logs"), unpack(data / "trace", temp.folder / "trace")
        job = temp.folder / "job"
        unpack(data, job)
        ranks = re.sub(r"(?m)^\[default\d\]:", "", console)
        files, mixed = report_of(*temp.call, tree), report_of(*temp.call, temp.write("default.txt", console))
        tap.equal("the tree: one process for each rank", 4, files["totals"]["processes"])
        compare(tap, "[default0]:[rank0]:", files, mixed)
        for rank in range(4):
            own = report_of(*temp.call, tree / "attempt_0" / str(rank))
            compare(tap, f"rank {rank}", own, of_rank(mixed, rank), () if rank == 2 else ("errors",))

        # What a rank prints has no prefix then: it is there, but nothing says whose it is.
        mixed = report_of(*temp.call, temp.write("rank.txt", ranks))
        compare(tap, "[rank0]:", files, mixed, ("errors",))
        tap.equal("[rank0]: exceptions", exceptions(files), exceptions(mixed))
        mixed = report_of(*temp.call, temp.write("bare.txt", re.sub(r"(?m)^\[rank\d\]:", "", ranks)))
        compare(tap, "process ids", without_ranks(files), without_ranks(mixed), ("errors", "graph breaks"))
        tap.equal("process ids: graph breaks", breaks(files), breaks(mixed))
        tap.equal("process ids: exceptions", exceptions(files), exceptions(mixed))

        alone = report_of(*temp.call, trace)
        compare(tap, "the tree beside the traces", alone, report_of(*temp.call, tree, trace))
        compare(tap, "one directory with the traces, the tree and a console", alone, report_of(*temp.call, job))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
