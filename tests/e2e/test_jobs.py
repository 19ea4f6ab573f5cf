#!/usr/bin/env python3
"""Jobs that ran at the same time, with their traces in one folder: separated by content, or reported as mixed. Prints TAP.

usage: test_jobs.py PT2TRACE SOURCE_ROOT

The traces are real ones of testdata, which were made one after the other: their times are moved to overlap, and where a
program is to run twice, its processes get other ids. Files are read in any order and under any name.
"""

import gzip
import hashlib
import json
import pathlib
import random
import re
import sys
import tempfile

from kept_calls import keep
from tap import Tap, report_of, run

PREFIX = re.compile(rb"(?m)^([VIWE]\d{4}) (\d\d):(\d\d):(\d\d)(\.\d+) (\d+) ")


def moved(data, seconds=0.0, pid=lambda pid: pid):
    """The trace as it would be `seconds` later, from a process of another id. Events keep their times: zones are coarse."""

    def prefix(match):
        day, hour, minute, second, rest, number = match.groups()
        micros = round((int(hour) * 3600 + int(minute) * 60 + int(second) + float(rest) + seconds) * 10**6)
        moment, rest = divmod(micros, 10**6)
        return b"%s %02d:%02d:%02d.%06d %d " % (day, moment // 3600, moment // 60 % 60, moment % 60, rest, pid(int(number)))

    return PREFIX.sub(prefix, data)


def with_payloads(data, change):
    """The trace with change(payload) for each payload, and digests that fit."""
    out = []
    for record in re.split(rb"(?m)^(?=[VIWE]\d{4} )", data):
        head, newline, payload = record.partition(b"\n")
        new = change(payload)
        if new != payload:
            text = b"\n".join(line[1:] for line in new.removesuffix(b"\n").split(b"\n"))
            head = re.sub(rb'"has_payload": "[0-9a-f]{32}"', b'"has_payload": "%s"' % hashlib.md5(text).hexdigest().encode(), head)
        out.append(head + newline + new)
    return b"".join(out)


def of_world(data, size):
    """The trace of a job of another size, as its all_gathers show it."""
    return with_payloads(data, lambda payload: re.sub(rb"(all_gather_into_tensor(?:\.default)?\([^)]*), 4, '0'\)",
                                                      rb"\1, %d, '0')" % size, payload))


def hours_earlier(data, hours):
    """The trace of a job that ran so many hours before: prefixes and events, else it would be one of another time zone."""
    events = with_payloads(data, lambda payload: re.sub(rb"(?<![\d.])1[78]\d{14}(?![\d])",
                                                        lambda match: b"%d" % (int(match[0]) - hours * 3600 * 10**6), payload))
    return moved(events, -3600 * hours)


class Check:
    def __init__(self, tap, pt2trace, root, temp):
        self.tap, self.pt2trace, self.root, self.temp = tap, pt2trace, root, temp
        self.number = 0

    def folder(self, name):
        self.number += 1
        return self.temp / f"{self.number}-{name}"

    def job(self, name, ranks=range(4), **how):
        """{rank: trace}"""
        out = {}
        for path in (self.root / "testdata" / name / "trace").glob("dedicated_log_torch_trace_rank_*"):
            rank = int(path.name.split("_rank_")[1].split("_")[0])
            if rank in ranks:
                out[rank] = moved(gzip.decompress(path.read_bytes()), **how)
        return out

    def write(self, jobs, seed):
        """All of them in one folder; names and the order of making are of chance."""
        out = self.folder("mixed")
        out.mkdir()
        chance = random.Random(seed)
        files = [(rank, data) for job in jobs for rank, data in job.items()]
        chance.shuffle(files)
        for rank, data in files:
            (out / f"dedicated_log_torch_trace_rank_{rank}_{chance.randrange(1 << 32):08x}.log").write_bytes(data)
        return out

    def report(self, path, *options):
        return report_of(self.pt2trace, self.folder("report"), path, options=options)


def outcome(report):
    """What is reported of each run: its ranks, and where they diverge."""
    runs = {}
    for compile in report["compiles"]:
        runs.setdefault(compile["process"], compile["rank"])
    ranks = {}
    for one in report["inputs"]:
        ranks.setdefault(one["run"], set()).add(one["rank"])
    return ([sorted(ranks[run]) for run in sorted(ranks)],
            sorted((d["kind"], d["compile"], str(d["groups"]), d["run"] if len(ranks) == 1 else None) for d in report["ranks"]["divergences"] or []))


def messages(report, code):
    return [m["text"] for m in report["messages"] if m["code"] == code]


def apart(check, name, jobs, by):
    """As many runs as jobs, each as it is alone, and the evidence is named; whatever the files are called."""
    alone = sorted((outcome(check.report(check.write([job], 1))) for job in jobs), key=str)
    reports = [check.report(check.write(jobs, seed)) for seed in (1, 2, 3)]
    check.tap.equal(f"{name}: ranks of each run", sorted(str(ranks) for ranks, _ in alone),
                    sorted(str([ranks]) for ranks in outcome(reports[0])[0]))
    check.tap.equal(f"{name}: what differs within each, and nothing else", sorted(d[:3] for _, all_ in alone for d in all_),
                    sorted(d[:3] for d in outcome(reports[0])[1]))
    found = messages(reports[0], "jobs-separated")
    check.tap.point(f"{name}: it is said how", len(found) == len(jobs) and all(text.endswith(f"assigned by {by}") for text in found), *found)
    check.tap.equal(f"{name}: nothing is reported as mixed", [], messages(reports[0], "jobs-mixed"))
    check.tap.equal(f"{name}: other names and orders, the same is reported", [reports[0]["ranks"]] * 2, [r["ranks"] for r in reports[1:]])
    check.tap.equal(f"{name}: the newest alone", 1, check.report(check.write(jobs, 2), "--latest")["totals"]["runs"])


def mixed(check, name, jobs):
    report = check.report(check.write(jobs, 1))
    check.tap.equal(f"{name}: one run", 1, report["totals"]["runs"])
    check.tap.point(f"{name}: it is said, once", len(messages(report, "jobs-mixed")) == 1 and not messages(report, "jobs-separated"),
                    *(m["text"] for m in report["messages"]))
    check.tap.equal(f"{name}: --latest says it once, too", 1, len(messages(check.report(check.write(jobs, 1), "--latest"), "jobs-mixed")))
    check.tap.equal(f"{name}: other names and orders, the same is reported", report["ranks"], check.report(check.write(jobs, 4))["ranks"])


def dumps(check):
    """Of two jobs at the same time: by the code that stacks run through, by the size of the world; else it is said."""
    stuck = check.root / "testdata" / "ranks_stuck" / "trace"
    recorded = {path.name.split("_rank_")[1][0]: json.loads(gzip.decompress(path.read_bytes())) for path in stuck.glob("flight_*")}
    other = {rank: data.replace(b"ranks_stuck.py", b"other_prog.py") for rank, data in check.job("ranks_stuck", seconds=1).items()}
    for first, second, name in ((other, check.job("ranks_stuck"), "older"), (check.job("ranks_stuck", seconds=2), other, "newer")):
        folder = check.write([first, second], 1)
        (folder / "flight_rank_3.json").write_text(json.dumps(recorded["3"]))
        report = check.report(folder)
        [flight] = report["ranks"]["flight_recorders"]
        check.tap.equal(f"a dump with stacks of the {name} of two jobs: its code is found", ("1/0", True),
                        tuple(flight["ranks"][0]["current"][key] for key in ("compile", "surely")))
        check.tap.equal(f"a dump of the {name} of two jobs: nothing is left open", ([], 2),
                        (messages(report, "dump-ambiguous"), report["totals"]["runs"]))
    folder = check.write([check.job("ranks_stuck"), other], 1)
    (folder / "flight_rank_0.json").write_text(json.dumps(recorded["0"]))
    check.tap.equal("a dump without stacks: a message says that it cannot be assigned", 1, len(messages(check.report(folder), "dump-ambiguous")))


def counted(report):
    totals = report["totals"]
    return totals["processes"], totals["compiles"], totals["records"], totals["runs"]


def copies(check):
    """Files with the same bytes count once, packed or under another name, unless only their names show the ranks."""
    tap, [(rank, data)] = check.tap, check.job("ranks_same", ranks=[2]).items()
    alone = counted(check.report(check.write([{rank: data}], 1)))
    for name, write in (("packed", lambda folder: (folder / "x.log.gz").write_bytes(gzip.compress(data, 1))),
                        ("raw.log of tlparse", lambda folder: (folder / "raw.log").write_bytes(data)),
                        ("another rank by its name", lambda folder: (folder / "dedicated_log_torch_trace_rank_7.log").write_bytes(data))):
        folder = check.write([{rank: data}], 1)
        write(folder)
        report = check.report(folder)
        tap.equal(f"a copy, {name}: it counts once", alone, counted(report))
        tap.equal(f"a copy, {name}: it is named", ([False], 1), ([i["used"] for i in report["inputs"] if "same contents" in (i["why_not"] or "")],
                                                               len(messages(report, "file-repeated"))))
        tap.equal(f"a copy, {name}: the rank is the one in the records", [rank], report["ranks"]["present"])
    folder = check.write([{rank: data, 1: data[:-200]}], 1)
    tap.equal("a file that is cut off is no copy", 2, check.report(folder)["totals"]["processes"])
    [path] = (check.root / "testdata" / "hello" / "trace").glob("*.gz")
    folder = check.folder("by name")
    folder.mkdir()
    for number in range(2):
        (folder / f"dedicated_log_torch_trace_rank_{number}.log").write_bytes(gzip.decompress(path.read_bytes()))
    report = check.report(folder)
    tap.equal("copies of which only the names show ranks: both are used, with a message", ([0, 1], 2, 1),
              (report["ranks"]["present"], report["totals"]["processes"], len(messages(report, "file-repeated"))))


def names(check):
    """The rank of a file's name against the rank of its records."""
    data = check.job("ranks_same", ranks=[2])[2]
    report = check.report(check.write([{5: data}], 1))
    check.tap.equal("a name against the records: the records win, and it is said",
                    ([2], ["the file name says rank 5, its records say rank 2: using rank 2"]),
                    (report["ranks"]["present"], messages(report, "rank-conflict")))


def other_runs(check):
    """Ranks of several runs in one place, each with other ranks: none is missing that lies there."""
    def earlier(name, ranks, hours):
        return {rank: hours_earlier(data, hours) for rank, data in check.job(name, ranks=ranks).items()}

    jobs = [check.job("ranks_same", ranks=[0, 2]), earlier("ranks_branch", [1], 2), earlier("ranks_shape", [3], 4)]
    report = check.report(check.write(jobs, 1))
    tap, found = check.tap, {f["id"]: f for f in report["findings"] if f["id"].startswith("rank-")}
    tap.equal("runs of other ranks: nothing is missing", ([], False), (report["ranks"]["absent"], "rank-absent" in found))
    tap.equal("runs of other ranks: it is a finding, which names the runs",
              "Ranks of 3 different runs were read together: run 1 has rank 3, run 2 has rank 1, run 3 has ranks 0, 2", found["rank-runs"]["title"])
    jobs += [earlier("ranks_order", [0], 6), earlier("ranks_killed", [2], 8)]
    text = " ".join(run(check.pt2trace, "summary", check.write(jobs, 1)).stdout.decode().split())
    tap.point("five runs: four are described, and the rest is counted", "; and 1 more run" in text and "more runs" not in text, text[400:])
    again = [check.job("ranks_restart"), earlier("ranks_restart", [1], 2)]
    report = check.report(check.write(again, 1))
    tap.equal("a single rank of an earlier launch: no rank is called absent, in report.json and in findings", ([], [], 2),
              (report["ranks"]["absent"], [f["title"] for f in report["findings"] if f["id"] == "rank-absent"], report["totals"]["runs"]))
    twice = [check.job("ranks_shape"), earlier("ranks_shape", [0, 1, 2, 3], 2), earlier("ranks_shape", [0, 1, 2, 3], 4)]
    report = check.report(check.write(twice, 1))
    found = [(f["title"].split(":")[0], f["line"] is not None) for f in report["findings"] if f["id"] == "rank-divergence"]
    tap.equal("a program that was started three times diverges once", [("Runs 1, 2, 3", True)], found)
    first = earlier("ranks_same", [0, 1, 2], 2)
    second = check.job("ranks_same", ranks=[0, 2])
    report = check.report(check.write([first, second], 1))
    tap.equal("a run that lacks a rank: the finding says which run",
              (["Run 2: the trace of ranks 1, 3 is missing", "Run 1: the trace of rank 3 is missing"], [1, 3]),
              (sorted((f["title"] for f in report["findings"] if f["id"].startswith("rank-absent")), reverse=True), report["ranks"]["absent"]))


def digests(check, jobs):
    folder = check.write(jobs, 1)
    parts = []
    for path in sorted(folder.iterdir()):
        parts.append(check.folder("part.digest"))
        run(check.pt2trace, "digest", "-q", "-o", parts[-1], path)
    out = check.folder("merged")
    run(check.pt2trace, "merge", "-q", "--no-browser", "-o", out, *reversed(parts))
    expected, found = check.report(folder), json.loads((out / "report.json").read_text())
    for report in expected, found:
        report.pop("tool")
    check.tap.equal("merged digests give the same", expected, found)


def main():
    keep(sys.argv[1])
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        check = Check(tap, sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(temp))
        scattered = random.Random(9).sample(range(1000, 400000), 64)
        strange = lambda pid: scattered[pid % 64]  # noqa: E731: these identify nothing
        shape, branch = check.job("ranks_shape"), check.job("ranks_branch", seconds=-40)
        apart(check, "two programs at once", [shape, branch], "the code that they compiled")
        apart(check, "three at once", [shape, branch, check.job("ranks_killed", seconds=-80)], "the code that they compiled")
        same = check.job("ranks_same")
        apart(check, "one program twice, 30 s later", [same, check.job("ranks_same", seconds=30, pid=strange)], "when they began")
        apart(check, "one program twice at once", [same, check.job("ranks_same", seconds=0.25, pid=lambda pid: pid + 9000)], "process ids")
        small = {rank: of_world(data, 2) for rank, data in check.job("ranks_order", ranks=(0, 2), seconds=0.25, pid=strange).items()}
        small = {0: small[0], 1: small[2].replace(b'"rank": 2', b'"rank": 1')}
        worlds = [check.job("ranks_order"), small]
        apart(check, "one program in worlds of two sizes", worlds, "world size")
        digests(check, worlds)
        mixed(check, "one program twice at once, on many machines",
              [check.job("ranks_same", pid=strange), check.job("ranks_same", seconds=0.25, pid=lambda pid: strange(pid + 7))])
        mixed(check, "one program twice at once, process ids in turns",
              [check.job("ranks_same", pid=lambda pid: 2 * pid), check.job("ranks_same", seconds=0.25, pid=lambda pid: 2 * pid + 1)])
        mixed(check, "one rank twice", [same, check.job("ranks_same", ranks=[2], seconds=30, pid=lambda pid: pid + 1)])
        dumps(check)
        copies(check)
        names(check)
        other_runs(check)
        report = check.report(check.write([same, check.job("ranks_same", ranks=[2])], 1))
        tap.equal("one file twice is no other job", ([], []), (messages(report, "jobs-mixed"), messages(report, "jobs-separated")))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
