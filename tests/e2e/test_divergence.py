#!/usr/bin/env python3
"""Where the ranks of a job differ is found and named, and nothing else is. Prints TAP.

usage: test_divergence.py PT2TRACE SOURCE_ROOT

Two sources of truth: what the programs in tools/workloads/ranks_*.py do, and what tools/make-ranks plants into copies of
the trace of one real rank. Files are read in any order and under any name.
"""

import collections
import gzip
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from kept_calls import keep
from tap import Tap, report_of

RANKS = 6
ODD = 4  # the rank that a difference is planted into

# What is planted where, and what must be reported: the kind, the compile, and whether the ranks would hang.
PLANTED = {
    "graph": ("0/0", "graph", "0/0", False),
    "partition": ("0/0", "partition", "0/0", False),
    "collectives": ("0/0", "collectives", "0/0", True),
    "break": ("0/0", "graph_break", "0/0", False),
    "recompile": ("0/0", "recompile", "0/1", False),
    "cache": ("0/0", "cache", "0/0", False),
    "guards": ("0/0", "guards", "0/0", False),
    "error": ("0/0", "status", "0/0", False),
    "missing": ("0/0", "compile", "0/0", True),
    "stop": ("2/0", "stopped", "2/0", False),
}
SAME_PROGRAM = {"cache": "share a cache", "guards": "A guard on"}  # and what is said of each

# What the workloads do: kind, compile, groups, line of the odd group, and how the ranks would hang (None: they would not).
WORKLOADS = {
    "ranks_same": None,
    "ranks_pipeline": None,
    "ranks_guards": ("guards", "0/0", [[0], [1], [2], [3]], "def guarded", None),
    "ranks_tensor": None,
    "ranks_shape": ("recompile", "0/1", [[0, 1, 3], [2]], "step", None),
    "ranks_branch": ("graph", "1/0", [[0, 2, 3], [1]], "x.sin()", None),
    "ranks_cache": ("cache", "0/0", [[0, 1, 2], [3]], "def work", None),
    "ranks_order": ("graph", "1/0", [[0, 2, 3], [1]], "fc.", ("all_gather_into_tensor", "all_reduce")),
    "ranks_killed": ("stopped", "1/0", [[0, 1, 2], [3]], "def does_not", None),
}


def causes(report, where="divergences"):
    """The divergences that are no consequence of another, or the differences that are no divergence."""
    return [d for d in report["ranks"][where] if d["follows"] is None]


def described(divergence):
    return divergence["kind"], divergence["compile"], divergence["groups"]


def findings(report):
    return {f["id"] for f in report["findings"] if f["id"].startswith(("rank-", "collective-"))}


class Check:
    def __init__(self, tap, pt2trace, root, temp):
        self.tap, self.pt2trace, self.root, self.temp = tap, pt2trace, root, temp
        self.number = 0

    def folder(self, name):
        self.number += 1
        return self.temp / f"{self.number}-{name}"

    def report(self, path, *options):
        return report_of(self.pt2trace, self.folder("report"), path, options=options)

    def ranks(self, source, *plants, count=RANKS, options=()):
        out = self.folder("ranks")
        words = [*options, *(word for plant in plants for word in ("--plant", plant))]
        subprocess.run([sys.executable, self.root / "tools" / "make-ranks", source, str(count), out, *words], check=True)
        return out

    def same(self, name, report):
        self.tap.equal(f"{name}: ranks were compared", True, report["ranks"]["compared"])
        self.tap.equal(f"{name}: nothing differs", ([], []), tuple([described(d) for d in report["ranks"][where]]
                                                                  for where in ("divergences", "differences")))
        self.tap.equal(f"{name}: there is no finding", set(), findings(report))


def plant(check, source, kind):
    id, expected, at, hangs = PLANTED[kind]
    report = check.report(check.ranks(source, f"{kind}:{ODD}:{id}"))
    groups = [[rank for rank in range(RANKS) if rank != ODD], [ODD]]
    same = kind in SAME_PROGRAM
    where, nowhere = ("differences", "divergences") if same else ("divergences", "differences")
    check.tap.equal(f"{kind} planted: it is found, and nothing else", ([(expected, at, groups)], []),
                    ([described(d) for d in causes(report, where)], report["ranks"][nowhere]))
    check.tap.equal(f"{kind} planted: it comes first, if the program is another one", None if same else (expected, at, groups),
                    report["ranks"]["first_divergence"] and described(report["ranks"]["first_divergence"]))
    check.tap.equal(f"{kind} planted: the verdict", f"{RANKS} ranks: all compiled the same program" if same else
                    f"{RANKS} ranks: {RANKS - 1} alike, rank {ODD} differs", report["ranks"]["runs"][0]["verdict"].split(";")[0])
    hang = report["ranks"]["runs"][0]["hang"]
    check.tap.equal(f"{kind} planted: whether ranks would hang", hangs, hang is not None)
    check.tap.equal(f"{kind} planted: whether schedules differ", hangs, bool(report["ranks"]["runs"][0]["schedules"]))
    check.tap.equal(f"{kind} planted: it is a finding",
                    {"rank-difference"} if same else {"rank-divergence"} | ({"rank-hang"} if hangs else set()), findings(report))
    if same:
        check.tap.equal(f"{kind} planted: which asks for nothing", [("info", True)],
                        [(f["severity"], SAME_PROGRAM[kind] in f["fix"]) for f in report["findings"] if f["id"] == "rank-difference"])


def shuffled(check, folder):
    """The same files under other names, made in another order."""
    out = check.folder("shuffled")
    out.mkdir()
    paths = sorted(folder.iterdir())
    random.Random(3).shuffle(paths)
    for number, path in enumerate(paths):
        rank = path.name.split("_rank_")[1].split("_")[0]
        shutil.copy(path, out / f"dedicated_log_torch_trace_rank_{rank}_{9 - number}.log")
    return out


def orders(check, source):
    folder = check.ranks(source, f"graph:{ODD}:0/0", f"break:{ODD - 1}:1/0")
    expected = check.report(folder)["ranks"]
    check.tap.equal("two differences: both are found", ["graph", "graph_break"], [d["kind"] for d in expected["divergences"]])
    check.tap.equal("other names and order of files: the same is reported", expected, check.report(shuffled(check, folder))["ranks"])
    for jobs in "1", "3":
        check.tap.equal(f"-j {jobs}: the same is reported", expected, check.report(folder, "-j", jobs)["ranks"])


def several(check, source):
    """In one compile ranks differ in several ways: each is reported by its own, and the strongest names the rank."""
    report = check.report(check.ranks(source, f"graph:{ODD}:0/0", f"partition:{ODD + 1}:0/0"))
    [found] = report["ranks"]["divergences"]
    check.tap.equal("two differences in a compile: one divergence of three groups", ("graph", "0/0", [[0, 1, 2, 3], [ODD], [ODD + 1]]), described(found))
    check.tap.point("two differences in a compile: what each rank did", all("planted" in side["did"] for side in found["sides"][1:]), found["sides"])
    titles = [f["title"] for f in report["findings"] if f["id"] == "rank-divergence"]
    check.tap.point("two differences in a compile: the finding names the rank", f"another graph: rank {ODD} " in titles[0], titles)


def harmless(check, source):
    """Ranks differ in guards, and in a later compile in caches: what is said of it is about caches alone."""
    report = check.report(check.ranks(source, f"guards:{ODD}:0/0", f"cache:{ODD - 1}:1/0"))
    [found] = [f for f in report["findings"] if f["id"] == "rank-difference"]
    of_caches = next(d for d in report["ranks"]["differences"] if d["kind"] == "cache")
    check.tap.equal("two harmless differences: both are counted", (True, True), tuple(word in found["title"] for word in ("guards in 1", "cache outcomes in 1")))
    check.tap.equal("two harmless differences: place and advice are of one", (of_caches["file"], of_caches["line"], True),
                    (found["file"], found["line"], SAME_PROGRAM["cache"] in found["fix"]))
    check.tap.point("two harmless differences: so are the sides", f"rank {ODD - 1}" in found["detail"] and f"rank {ODD} " not in found["detail"], found)


def shown_once(check, source):
    """What a rank did as an earlier one did is shown once, and its details are in the page as far as there is room."""
    traces = check.ranks(source, f"graph:{ODD}:0/0")
    out = check.folder("shown once")
    report = report_of(check.pt2trace, out, traces, options=("--max-html-size", "1M"))
    first = {compile["id"]: compile for compile in report["compiles"] if compile["rank"] == 0}
    others = [compile for compile in report["compiles"] if compile["rank"] != 0]
    check.tap.equal("alike: the first rank is like none before it", {None}, {compile["same_as"] for compile in first.values()})
    check.tap.equal("alike: where one differs it is like none", [ODD],
                    [compile["rank"] for compile in others if compile["id"] == "0/0" and compile["same_as"] is None])
    check.tap.equal("alike: the others are like the first, of the same id", {(0, True)},
                    {(compile["same_as"]["rank"], compile["same_as"]["id"] == compile["id"])
                     for compile in others if compile["same_as"]})
    page = (out / "index.html").read_text()
    line = re.search(r'<p class="ranks-line">(.*?)</p>', page)
    check.tap.point("alike: the top of the page names the rank that is not", line and line.start() < page.index('<details class="finding') and
                    f": {RANKS} ranks: {RANKS - 1} alike, rank {ODD} differs" in re.sub(r"<[^>]*>", "", line[1]), line and line[0])
    alike = sum(compile["same_as"] is not None for compile in others)
    check.tap.point("alike: a small page has few details of them", alike // 2 < page.count("Same as <") <= alike,
                    [alike, page.count("Same as <")])
    stored = {0: 0}
    for size in range(700, 900, 20):  # the first at which there is room for any
        if not stored[0]:
            report = check.report(traces, "--max-html-size", f"{size}k")
            stored = {rank: sum(a["stored"] == "inline" for compile in report["compiles"] if compile["rank"] == rank
                                for a in compile["artifacts"]) for rank in (0, ODD, ODD + 1)}
    check.tap.point("alike: payloads of the first come before those of the others", stored[0] > stored[ODD + 1], stored)


def own_texts(check, source):
    """tools/gen-ranks: ranks that did the same, with texts of their own."""
    out = check.folder("own texts")
    subprocess.run([sys.executable, check.root / "tools" / "gen-ranks", source, "--ranks", "16", "-o", out], check=True)
    report = check.report(out)
    check.same("texts of their own", report)
    check.tap.equal("texts of their own: a process is a rank", (16, 16), (report["totals"]["processes"], report["totals"]["ranks"]))
    check.tap.equal("texts of their own: all checksums OK", [], report["messages"])
    bytes_of, seen = collections.Counter(), set()
    for compile in report["compiles"]:
        for artifact in compile["artifacts"]:
            bytes_of[artifact["md5"] in seen] += artifact["bytes"] or 0
            seen.add(artifact["md5"])
    check.tap.point("texts of their own: most bytes are", bytes_of[False] > bytes_of[True], bytes_of)


def absent(check, source):
    folder = check.ranks(source, count=4)
    for path in folder.glob("*_rank_2_*"):
        path.unlink()
    report = check.report(folder)
    check.tap.equal("a rank without a trace: it is absent", [2], report["ranks"]["absent"])
    check.tap.equal("a rank without a trace: it is a finding", {"rank-absent"}, findings(report))
    for path in folder.glob("*_rank_3_*"):
        path.unlink()
    check.tap.equal("the last ranks without a trace: known from the group of the collectives", [2, 3], check.report(folder)["ranks"]["absent"])


def times(check, source):
    report = check.report(check.ranks(source, f"slow:{ODD}:1/0"))
    check.tap.equal("a slow rank: it is a finding, and nothing differs", ({"rank-straggler"}, []),
                    (findings(report), report["ranks"]["divergences"]))
    check.tap.equal("a slow rank: it is named", ODD, report["ranks"]["runs"][0]["times"]["slowest"])
    charts = re.findall(r'<figure class="flame".*?<figcaption>rank (\d+)', (check.temp / f"{check.number}-report" / "index.html").read_text(), re.S)
    check.tap.equal("a slow rank: its chart is the first of those of all ranks", ([ODD], RANKS), (list(map(int, charts[:1])), len(set(charts))))
    report = check.report(check.ranks(source, f"late:{ODD}:0/0"))
    check.tap.equal("a late rank: it is a finding, and nothing differs", ({"rank-start"}, []),
                    (findings(report), report["ranks"]["divergences"]))
    found = report["ranks"]["runs"][0]["times"]
    check.tap.point("a late rank: it is named, and how late", found["last"] == ODD and abs(found["start_skew_s"] - 100) < 1, found)


def parity(check, source):
    report = check.report(check.ranks(source, *(f"unwaited:{rank}:0/0" for rank in range(RANKS))))
    check.tap.equal("a wait less on all ranks: it is a finding, and nothing differs", ({"collective-parity"}, []),
                    (findings(report), report["ranks"]["divergences"]))
    found = report["ranks"]["runs"][0]["schedule_mismatches"]
    check.tap.equal("a wait less: the numbers", [(3, 3, 2)], [(m["scheduled"], m["emitted"], m["waits"]) for m in found])


def execution(check, source):
    order = "0/0,1/0,0/0"
    for name, ran, expected in (
        ("the same order", order, None),
        ("another order", "0/0,0/0,1/0", (1, [("1/0", False, 3), ("0/0", False, 3)])),
        ("one graph more", order + ",1/1", (3, [(None, True, 3), ("1/1", False, 4)])),
    ):
        report = check.report(check.ranks(source, options=("--run", order, "--ran", f"{ODD}:{ran}")))
        found = report["ranks"]["runs"][0]["execution"]
        check.tap.equal(f"graphs ran in {name}", expected,
                        found and (found["before"], [(s["compile"], s["ended"], s["length"]) for s in found["sides"]]))


def estimates(check, source):
    report = check.report(check.ranks(source, options=("--estimate", "0/0:1000.5", "--took", f"{ODD}:9000.5", "--took", "1:900")))
    check.same("other estimates", report)
    [found] = report["ranks"]["runs"][0]["estimates"]
    check.tap.equal("estimates: the slowest and the fastest rank", (ODD, 9000, 1, 900, 1000, 0),
                    tuple(found[key] for key in ("slowest", "slowest_ns", "fastest", "fastest_ns", "median_ns", "spread_ns")))


def crowd(check, source):
    """More ranks than a process may have files open, half of them packed."""
    program = check.temp / "pt2trace"
    program.write_text(f'#!/bin/sh\nulimit -n 100\nexec "{pathlib.Path(check.pt2trace).resolve()}" "$@"\n', encoding="ascii")
    program.chmod(0o700)
    folder = check.ranks(source, "graph:77:0/0", count=250)
    [path] = folder.glob("*_rank_233_*")
    path.write_bytes(path.read_bytes().replace(b'\\"fx_graph_cache\\": true', b'\\"fx_graph_cache\\": false'))
    for path in sorted(folder.iterdir())[::2]:
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes(), 1))
        path.unlink()
    few = Check(check.tap, program, check.root, check.folder("few"))
    few.temp.mkdir()
    report = few.report(folder)
    page = (few.temp / "1-report" / "index.html").read_text(encoding="utf-8")
    check.tap.point("many ranks: their list is there to be opened", "<summary>250 processes</summary>" in page)
    check.tap.equal("more files than may be open: all are read", 250, len(report["ranks"]["present"]))
    check.tap.equal("more files than may be open: what differs is found", [("graph", "0/0", [1, 249])],
                    [(d["kind"], d["compile"], sorted(map(len, d["groups"]))) for d in report["ranks"]["divergences"]])
    check.tap.equal("more files than may be open: no payload is lost", set(),
                    {a["stored"] for c in report["compiles"] for a in c["artifacts"]} - {"inline"})
    check.tap.equal("many ranks: a setting of one of them is found", ["cache-off"],
                    [f["id"] for f in report["findings"] if f["id"].endswith("-off")])
    digest = few.folder("all.digest")
    subprocess.run([program, "digest", "-q", folder, "-o", digest], check=True)
    check.tap.equal("more files than may be open: the same of their digest", report["ranks"], few.report(digest)["ranks"])


def calls(steps):
    return [(step["op"], step["shape"], step["reduction"], step["compile"]) for step in steps]


def hunks(report):
    """Stretches of every schedule that differs from the schedule of most ranks."""
    return [(d["most"], d["other"], [(h["equal"], calls(h["most"]), calls(h["other"]), h["meets"] and h["meets"]["op"]) for h in d["hunks"]],
             d["equal_after"]) for run in report["ranks"]["runs"] for d in run["schedules"]]


def schedules(check, source):
    """Behind the first call that differs, too: where they meet again."""
    report = check.report(check.root / "testdata" / "ranks_order")
    reduce = ("all_reduce", "[4]", "sum", "1/0")
    check.tap.equal("ranks_order: one gathers first, and what comes behind is aligned",
                    [([0, 2, 3], [1], [(1, [reduce], [], "all_gather_into_tensor"), (1, [], [reduce], None)], 0)], hunks(report))
    report = check.report(check.ranks(source, f"collectives:{ODD}:0/0", f"missing:{ODD - 1}:0/0"))
    found = hunks(report)
    check.tap.equal("planted: of which ranks", [([0, 1, 2, 5], [3]), ([0, 1, 2, 5], [4])], sorted(d[:2] for d in found))
    [changed] = [d for d in found if d[1] == [ODD]]
    check.tap.equal("planted: one reduction is another", [([("sum",)], [("max",)])],
                    [([call[2:3] for call in most], [call[2:3] for call in other]) for _, most, other, _ in changed[2]])
    [schedule] = [d for run in report["ranks"]["runs"] for d in run["schedules"] if d["other"] == [ODD]]
    check.tap.equal("planted: all else is equal", (schedule["most_calls"] - 1, schedule["other_calls"] - 1), (schedule["equal"],) * 2)
    [lacks] = [d for d in found if d[1] == [ODD - 1]]
    check.tap.point("planted: calls of a compile that is missing are on one side", lacks[2] and all(
        other == [] and {call[3] for call in most} == {"0/0"} for _, most, other, _ in lacks[2]), lacks)


def side_of(check, divergence):
    """The lines of source that the report points to, of the odd group."""
    side = divergence["sides"][-1]
    path = check.root / "tools" / "workloads" / pathlib.Path(side["file"] or "-").name
    if not path.is_file():
        return side["file"]
    lines = path.read_text(encoding="utf-8").splitlines()
    return " ".join(lines[side["line"] - 1 : side["line"] + 1])


def workload(check, name):
    report = check.report(check.root / "testdata" / name)
    if WORKLOADS[name] is None:
        check.same(name, report)
        return
    kind, id, groups, line, hang = WORKLOADS[name]
    found = causes(report, "differences" if kind in SAME_PROGRAM else "divergences")
    check.tap.equal(f"{name}: what differs, and nothing else", [(kind, id, groups)], [described(d) for d in found])
    place = side_of(check, found[0]) if found else None
    check.tap.point(f"{name}: the line of code", line in (place or ""), f"expected {line}, found {place}")
    stuck = report["ranks"]["runs"][0]["hang"]
    check.tap.equal(f"{name}: how ranks would hang", hang, stuck and tuple(side["op"] for side in reversed(stuck["sides"])))


def restart(check):
    report = check.report(check.root / "testdata" / "ranks_restart")
    check.tap.equal("ranks_restart: each start is a run of its own", [0, 1], [run["run"] for run in report["ranks"]["runs"]])
    check.tap.equal("ranks_restart: nothing differs within them", [], [described(d) for d in report["ranks"]["divergences"]])


def unpacked(check, path):
    out = check.temp / path.stem
    out.write_bytes(gzip.decompress(path.read_bytes()))
    return out


def main():
    keep(sys.argv[1])
    tap = Tap()
    root = pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as temp:
        check = Check(tap, sys.argv[1], root, pathlib.Path(temp))
        [path] = (root / "testdata" / "ranks_same" / "trace").glob("*_rank_0_*")
        source = unpacked(check, path)
        check.same("copies", check.report(check.ranks(source, count=4)))
        for kind in PLANTED:
            plant(check, source, kind)
        orders(check, source)
        several(check, source)
        harmless(check, source)
        shown_once(check, source)
        own_texts(check, source)
        absent(check, source)
        times(check, source)
        parity(check, source)
        execution(check, source)
        estimates(check, source)
        [path] = (root / "testdata" / "ranks_shape" / "trace").glob("*_rank_0_*")
        crowd(check, unpacked(check, path))
        schedules(check, source)
        for name in WORKLOADS:
            workload(check, name)
        restart(check)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
