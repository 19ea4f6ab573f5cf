#!/usr/bin/env python3
"""Flight Recorder dumps: where the ranks of a job stand still, and whose compiled code they are in. Prints TAP.

usage: test_flight.py PT2TRACE SOURCE_ROOT

The truth is what tools/workloads/ranks_stuck.py does: rank 2 leaves a loop early and waits for rank 3 in a group of the
two, the others wait for it in an all_reduce of `last`. Its dumps are real ones of gloo: those of ranks 0 and 2 are
PyTorch's own JSON, which has no stacks; those of 1 and 3 were pickles. What only NCCL writes (states, members of groups,
calls between two ranks) is put into copies of them, by what FlightRecorderDetail.hpp of PyTorch 2.13 writes.
"""

import copy
import gzip
import json
import pathlib
import pickle
import random
import re
import shutil
import sys
import tempfile

from kept_calls import keep
from tap import Tap, report_of, run


class Check:
    def __init__(self, tap, pt2trace, root, temp):
        self.tap, self.pt2trace, self.temp = tap, pt2trace, temp
        self.number = 0
        self.workload = (root / "tools" / "workloads" / "ranks_stuck.py").read_text(encoding="utf-8").splitlines()
        self.traces, self.dumps = {}, {}
        for path in (root / "testdata" / "ranks_stuck" / "trace").iterdir():
            data = gzip.decompress(path.read_bytes())
            rank = int(path.name.split("_rank_")[1][0])
            if path.name.startswith("flight"):
                self.dumps[rank] = json.loads(data)
            else:
                self.traces[rank] = data

    def folder(self, name):
        self.number += 1
        return self.temp / f"{self.number}-{name}"

    def write(self, dumps, traces=True, names="flight_recorder_rank_{}.json"):
        """A folder with these dumps, in any order of making, and the traces of the ranks."""
        out = self.folder("input")
        out.mkdir()
        ranks = list(dumps)
        random.Random(5).shuffle(ranks)
        for rank in ranks:
            (out / names.format(rank)).write_text(json.dumps(dumps[rank]))
        for rank, data in self.traces.items() if traces else ():
            (out / f"dedicated_log_torch_trace_rank_{rank}_{9 - rank}.log").write_bytes(data)
        return out

    def report(self, *paths, options=()):
        return report_of(self.pt2trace, self.folder("report"), *paths, options=options)

    def flight(self, dumps, **options):
        """What is reported of the only run."""
        [found] = self.report(self.write(dumps, **options))["ranks"]["flight_recorders"]
        return found

    def line(self, call):
        return self.workload[call["line"] - 1].strip() if call and call["line"] else None


def words(call):
    return call and (call["op"], call["shape"], call["group"], call["number"], call["compile"])


LAST = ("all_reduce", "[16]", "0", 6, "1/0")
PAIR = ("all_reduce", "[2]", "1", 1, None)


def sides(stop):
    return stop["verdict"], stop["group"], stop["number"], stop["waiting"], stop["absent"], stop["silent"]


def as_it_was(check):
    report = check.report(check.write(check.dumps))
    tap, [found] = check.tap, report["ranks"]["flight_recorders"]
    tap.equal("where groups stand still", [("not_reached", "0", 6, [0, 1, 3], [2], []), ("waiting", "1", 1, [2], [], [])],
              [sides(s) for s in found["stops"]])
    tap.equal("which call, and what the absent rank is in", (LAST, PAIR), tuple(words(found["stops"][0][k]) for k in ("call", "instead")))
    tap.equal("in what each rank is", [LAST, LAST, PAIR, LAST], [words(r["current"]) for r in found["ranks"]])
    tap.equal("what each completed last", [("all_reduce", "[6]", "0", 5, None)] * 4, [words(r["last"]) for r in found["ranks"]])
    tap.equal("stacks name the code, sizes suggest it", [False, True, False, True], [r["current"]["surely"] for r in found["ranks"]])
    tap.equal("the user's line, with and without a stack", ['return fc.all_reduce(x + 1, "max", dist.group.WORLD) * 3'] * 2,
              [check.line(found["ranks"][rank]["current"]) for rank in (0, 1)])
    tap.equal("the user's line outside of compiled code", "dist.all_reduce(torch.ones(6))", check.line(found["ranks"][3]["last"]))
    [finding] = [f for f in report["findings"] if f["id"] == "rank-stuck"]
    tap.equal("the finding", ("critical", "Rank 2 never reached `all_reduce` of f32[16], number 6 of group 0, in which ranks 0, 1, 3 wait"),
              (finding["severity"], finding["title"]))
    tap.equal("a dump is no process more", (4, 4), (report["totals"]["processes"], report["totals"]["ranks"]))
    kinds = [(i["kind"], i["rank"], i["used"], i["records"]) for i in report["inputs"] if i["kind"] == "flight_recorder"]
    tap.equal("what the files are", [("flight_recorder", rank, True, 6) for rank in range(4)], kinds)


def names_and_orders(check):
    expected = check.flight(check.dumps)
    for names in "nccl_trace_rank_{}", "a{}.json", "host7-fr-{}.txt.json":
        check.tap.equal(f"named {names}: the same is reported", expected, check.flight(check.dumps, names=names))
    marked = check.write(check.dumps)
    for path in marked.glob("flight_recorder_rank_*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    check.tap.equal("with a mark of the order of bytes: the same is reported", [expected], check.report(marked)["ranks"]["flight_recorders"])
    named = {rank: {"rank": rank, **dump} for rank, dump in check.dumps.items()}
    check.tap.equal("the rank in the dump goes before the name's", expected, check.flight(named, names="x{0}9.json"))
    found = check.report(check.write({0: check.dumps[0]}, names="dump.json"))
    [dump] = [i for i in found["inputs"] if i["path"].endswith("dump.json")]
    check.tap.point("no rank anywhere: not used, and why", not dump["used"] and "rank" in dump["why_not"], dump)


def many(check):
    """Entries beyond the limit of a list are not read, which is said."""
    dump = {**check.dumps[0], "entries": check.dumps[0]["entries"] + [0] * 100000}
    messages = check.report(check.write({0: dump}, traces=False))["messages"]
    check.tap.equal("too many entries", ["entries: more than 100000", "entries: 99994 that are not calls"], [m["text"] for m in messages if "entries" in m["text"]])


def joined(check):
    """By operation, sizes and neighbors, where there is no stack."""
    dumps = {rank: copy.deepcopy(dump) for rank, dump in check.dumps.items()}
    for dump in dumps.values():
        for entry in dump["entries"]:
            entry.pop("frames", None)
        dump["entries"] = dump["entries"][:4]
        dump["entries"][3].update(retired=False)
    found = check.flight(dumps)
    check.tap.equal("gathers are found by what goes in", [("all_gather", "[1, 4]", "0", 4, "0/0")] * 4,
                    [words(r["current"]) for r in found["ranks"]])
    check.tap.equal("reductions too", [("all_reduce", "[4]", "0", 3, "0/0")] * 4, [words(r["last"]) for r in found["ranks"]])
    for change in ({"input_sizes": [[5]], "output_sizes": [[1, 5]]}, {"input_dtypes": ["Double"], "output_dtypes": ["Double"]},
                   {"process_group": ["7", "undefined"]}):
        other = copy.deepcopy(dumps)
        other[0]["entries"][3].update(change)
        check.tap.equal(f"other {', '.join(change)}: no code is named", None, check.flight(other)["ranks"][0]["current"]["compile"])
    dumps[0]["entries"][3].update(output_sizes=[[4]], profiling_name="gloo:all_reduce")
    check.tap.equal("an operation of the same name and size elsewhere is taken for the one that fits",
                    "0/0", check.flight(dumps)["ranks"][0]["current"]["compile"])


def same_calls(check):
    """Two functions make the same call: it is of the one that was compiled right before it."""
    dumps, traces = {rank: copy.deepcopy(dump) for rank, dump in check.dumps.items()}, check.traces
    for dump in dumps.values():
        for entry in dump["entries"]:
            entry.pop("frames", None)
        if dump["entries"][5]["input_sizes"] == [[16]]:
            dump["entries"][5].update(input_sizes=[[4]], output_sizes=[[4]])
    check.traces = {rank: data.replace(b"f32[16]", b"f32[4]") for rank, data in traces.items()}
    found = check.flight(dumps)
    check.traces = traces
    check.tap.equal("of two functions with the same call, the one that was compiled right before it",
                    ("all_reduce", "[4]", "0", 6, "1/0"), words(found["stops"][0]["call"]))
    check.tap.equal("... its line is shown", "return fc.all_reduce(x + 1, \"max\", dist.group.WORLD) * 3", check.line(found["stops"][0]["call"]))


def next_calls(check):
    """Two functions make the same call, and nothing says when: it is of the one whose next call is the next one."""
    dumps, traces = {rank: copy.deepcopy(dump) for rank, dump in check.dumps.items()}, check.traces
    for dump in dumps.values():
        dump["entries"] = dump["entries"][2:4]
        for entry in dump["entries"]:
            entry.pop("frames", None)
            entry.pop("time_created_ns")
        dump["entries"][1].update(retired=False)
    check.traces = {rank: re.sub(rb"f32\[16\](?=.* = .*all_reduce)", b"f32[4]", data) for rank, data in traces.items()}
    found = [check.flight(dumps)]
    for dump in dumps.values():
        dump["entries"][1].update(profiling_name="gloo:broadcast")
    found.append(check.flight(dumps))
    check.traces = traces
    check.tap.equal("of two functions with the same call, the one whose next call follows",
                    [(("all_reduce", "[4]", "0", 3, "0/0"), others) for others in (0, 1)],
                    [(words(f["ranks"][0]["last"]), f["ranks"][0]["last"]["others"]) for f in found])


def as_nccl(check):
    """The dumps as NCCL would have written them."""
    members = {"0": "[0, 1, 2, 3]", "1": "[2, 3]"}
    out = {}
    for rank, dump in check.dumps.items():
        out[rank] = dump = copy.deepcopy(dump)
        dump["pg_config"] = {name: {"name": name, "desc": "default_pg" if name == "0" else "pair", "ranks": ranks}
                             for name, ranks in members.items() if str(rank) in ranks}
        dump["pg_status"] = {}
        for entry in dump["entries"]:
            entry["profiling_name"] = entry["profiling_name"].replace("gloo:all_gather", "gloo:_all_gather_base").replace("gloo", "nccl")
            entry["state"] = "completed" if entry["retired"] else "started"
            last = dump["pg_status"].setdefault(str(entry["pg_id"]), {"last_enqueued_collective": "0", "last_completed_collective": "0"})
            last["last_enqueued_collective"] = str(entry["collective_seq_id"])
            if entry["retired"]:
                last["last_completed_collective"] = str(entry["collective_seq_id"])
    return out


def nccl(check):
    tap, dumps = check.tap, as_nccl(check)
    found = check.flight(dumps)
    tap.equal("NCCL: members show who is missing in the pair",
              [("not_reached", "0", 6, [0, 1, 3], [2], []), ("not_reached", "1", 1, [2], [3], [])], [sides(s) for s in found["stops"]])
    listed = copy.deepcopy(dumps)
    for rank, dump in listed.items():
        for group in dump["pg_config"].values():
            group["ranks"] = json.loads(group["ranks"])[::-1 if rank % 2 else 1]
    tap.equal("NCCL: members are a list in dumps that were pickles, in any order", [sides(s) for s in found["stops"]],
              [sides(s) for s in check.flight(listed)["stops"]])
    tap.equal("NCCL: a call that began", ["started"] * 4, [r["current"]["state"] for r in found["ranks"]])
    tap.equal("NCCL: what the program calls a group", ["default_pg", "pair"], [s["about"] for s in found["stops"]])

    running = {rank: copy.deepcopy(dump) for rank, dump in dumps.items()}
    for dump in running.values():
        dump["entries"] = [entry for entry in dump["entries"] if entry["state"] != "completed"]
    tap.equal("running calls alone: status shows how far others got", [sides(s) for s in found["stops"]],
              [sides(s) for s in check.flight(running)["stops"]])

    renumbered = copy.deepcopy(running)
    for dump in renumbered.values():
        dump["pg_status"] = {f"{int(key) + 16}": value for key, value in dump["pg_status"].items()}
        for entry in dump["entries"]:
            entry["pg_id"] += 16
    tap.equal("the status is by the number of the group, which is not its name", [sides(s) for s in found["stops"]],
              [sides(s) for s in check.flight(renumbered)["stops"]])

    running[3]["entries"].clear()
    running[3]["pg_status"]["0"] = {"last_enqueued_collective": "6", "last_completed_collective": "6"}
    tap.equal("... also of a rank without any: it is missed where it did not come, and not where it did",
              [("not_reached", "1", 1, [2], [3], []), ("not_reached", "0", 6, [0, 1], [2], [])],
              [sides(s) for s in check.flight(running)["stops"]])

    without = {rank: dump for rank, dump in dumps.items() if rank != 2}
    stop = check.flight(without)["stops"][0]
    tap.equal("no dump of the missing rank: it is said", ("waiting", "0", 6, [0, 1, 3], [], [2]), sides(stop))

    wrapped = {rank: copy.deepcopy(dump) for rank, dump in dumps.items()}
    wrapped[1]["entries"] = wrapped[1]["entries"][3:]
    tap.equal("a buffer that went round: numbers are compared, not places", [sides(s) for s in found["stops"]],
              [sides(s) for s in check.flight(wrapped)["stops"]])

    gone = {rank: copy.deepcopy(dump) for rank, dump in dumps.items()}
    gone[2]["entries"] = gone[2]["entries"][:3]
    gone[2]["pg_status"] = {"0": {"last_enqueued_collective": "3", "last_completed_collective": "3"}}
    for rank in 0, 1, 3:
        gone[rank]["entries"] = gone[rank]["entries"][:4]
        gone[rank]["entries"][3].update(state="scheduled", retired=False)
        gone[rank]["pg_status"] = {"0": {"last_enqueued_collective": "4", "last_completed_collective": "3"}}
    stop = check.flight(gone)["stops"][0]
    tap.equal("a rank that is in nothing", (("not_reached", "0", 4, [0, 1, 3], [2], []), None), (sides(stop), stop["instead"]))
    tap.equal("_all_gather_base is all_gather_into_tensor", "0/0", stop["call"]["compile"])

    done = {rank: {**dump, "entries": dump["entries"][:5]} for rank, dump in dumps.items()}
    for dump in done.values():
        dump["pg_status"] = {}
    report = check.report(check.write(done))
    tap.equal("all completed: nothing stands still", ([], []),
              (report["ranks"]["flight_recorders"][0]["stops"], [f for f in report["findings"] if f["id"] == "rank-stuck"]))


def different(check):
    dumps = as_nccl(check)
    for rank in dumps:
        dumps[rank]["entries"] = dumps[rank]["entries"][:3]
        dumps[rank]["entries"][2].update(state="started", retired=False)
        dumps[rank]["pg_status"] = {}
    dumps[1]["entries"][2].update(profiling_name="nccl:broadcast")
    stop = check.flight(dumps)["stops"][0]
    check.tap.equal("another operation in its place", ("different", "0", 3, [0, 2, 3], [1], []), sides(stop))
    check.tap.equal("... which is reported", ("all_reduce", "broadcast"), (stop["call"]["op"], stop["instead"]["op"]))
    dumps[1]["entries"][2].update(profiling_name="nccl:all_reduce", input_sizes=[[8]], output_sizes=[[8]])
    check.tap.equal("another size in its place", ("different", "0", 3, [0, 2, 3], [1], []), sides(check.flight(dumps)["stops"][0]))
    for rank in dumps:
        dumps[rank]["entries"][2].update(profiling_name="nccl:all_to_all", input_sizes=[[rank]], output_sizes=[[4 - rank]])
    check.tap.equal("sizes that may differ", "waiting", check.flight(dumps)["stops"][0]["verdict"])
    for rank in dumps:
        dumps[rank]["entries"].insert(2, {**dumps[rank]["entries"][0], "profiling_name": f"nccl:send {rank}->0", "is_p2p": True,
                                          "p2p_seq_id": 1 + rank % 2, "state": "scheduled", "retired": False})
    found = check.flight(dumps)
    check.tap.equal("calls between two ranks are no collectives of the group", "waiting", found["stops"][0]["verdict"])
    check.tap.equal("... but a rank may be in one", ("send", "1->0", 2),
                    tuple(found["ranks"][1]["current"][key] for key in ("op", "peers", "number")))


def alone(check):
    report = check.report(check.write(as_nccl(check), traces=False))
    check.tap.equal("dumps without traces: the same stops, no code", [("not_reached", None)] * 2,
                    [(s["verdict"], s["call"]["compile"]) for s in report["ranks"]["flight_recorders"][0]["stops"]])
    check.tap.equal("dumps without traces: their ranks are there", [0, 1, 2, 3], report["ranks"]["present"])


def pickles(check):
    folder = check.folder("pickles")
    folder.mkdir()
    path = folder / "nccl_trace_rank_0"
    for protocol in 2, 4:
        path.write_bytes(pickle.dumps(check.dumps[0], protocol=protocol))
        done = run(check.pt2trace, "report", "-q", "--no-browser", "-o", check.folder("none"), folder)
        check.tap.equal(f"a pickle of protocol {protocol} alone: nothing to read", 4, done.returncode)
    trace = next(iter(check.traces.values()))
    (folder / "dedicated_log_torch_trace_rank_0_a.log").write_bytes(trace)
    report = check.report(folder)
    [found] = [i for i in report["inputs"] if i["path"].endswith("nccl_trace_rank_0")]
    check.tap.point("a pickle is refused, with the way to JSON",
                    not found["used"] and "pickle" in found["why_not"] and "json.dump(" in found["why_not"], found)
    command = found["why_not"].split('python -c "')[1].rsplit('" FILE', 1)[0]
    done = run(sys.executable, "-c", command, path)
    check.tap.equal("that way works", (0, check.dumps[0]), (done.returncode, json.loads((folder / "nccl_trace_rank_0.json").read_text())))
    path.unlink()
    check.tap.equal("... and is read", [6], [r["calls"] for f in check.report(folder)["ranks"]["flight_recorders"] for r in f["ranks"]])


def digests(check):
    folder = check.write(as_nccl(check))
    parts = []
    for path in sorted(folder.iterdir()):
        parts.append(check.folder("part.digest"))
        run(check.pt2trace, "digest", "-q", "-o", parts[-1], path)
    merged = check.folder("merged")
    done = run(check.pt2trace, "merge", "-q", "--no-browser", "-o", merged, *reversed(parts))
    report, found = check.report(folder), json.loads((merged / "report.json").read_text()) if done.returncode == 0 else {}
    for one in report, found:
        one.pop("tool", None)
    check.tap.equal("merged digests give the same", report, found)


def redacted(check):
    dumps = {rank: json.loads(json.dumps(dump).replace('"undefined"', '"Zephyr team"')) for rank, dump in check.dumps.items()}
    dumps[0]["host_name"] = "zephyrhost"
    folder = check.write(dumps)
    check.tap.point("a group's name shows", "Zephyr team" in json.dumps(check.report(folder)["ranks"]["flight_recorders"]))
    found = check.report(folder, options=("--redact",))
    check.tap.point("--redact: names of groups, hosts, files and functions are gone",
                    not any(word in json.dumps(found).lower() for word in ("zephyr", "ranks_stuck.py")),
                    found["ranks"]["flight_recorders"])
    check.tap.equal("--redact: the verdict stays", ("not_reached", [2], "1/0"),
                    tuple(found["ranks"]["flight_recorders"][0]["stops"][0][key] for key in ("verdict", "absent")) +
                    (found["ranks"]["flight_recorders"][0]["stops"][0]["call"]["compile"],))


def odd_members(check):
    """Each member of a dump's calls in turn is missing or odd in one rank: whatever can be read is, and nothing ends the program."""
    odd = {}
    for member in sorted(set().union(*(entry for entry in as_nccl(check)[0]["entries"]))):
        for value in (None, "", "quokka", -1, 2**63, [], {}):
            dumps = as_nccl(check)
            for entry in dumps[0]["entries"]:
                entry.pop(member, None)
                if value is not None:
                    entry[member] = value
            folder = check.folder("odd")
            done = run(check.pt2trace, "report", "-q", "--no-browser", "-o", folder, check.write(dumps, traces=False))
            if done.returncode != 0:
                odd[f"{member} = {value!r}"] = done.returncode
            shutil.rmtree(folder, ignore_errors=True)
    check.tap.equal("calls with a member that is missing or odd", {}, odd)


def restarts(check):
    """A dump belongs to the run that was the last to begin before it."""
    folder = check.write({})
    later = check.folder("later")
    shutil.copytree(folder, later)
    for path in later.iterdir():
        path.write_bytes(path.read_bytes().replace(b"V1121 19:", b"V1121 22:").replace(b"V1121 20:", b"V1121 23:"))
    old = {rank: check.dumps[rank] for rank in check.dumps}
    report = check.report(folder, later, check.write(old, traces=False))
    check.tap.equal("two runs: the dumps are of the first", [0], [f["run"] for f in report["ranks"]["flight_recorders"]])


def main():
    keep(sys.argv[1])
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        check = Check(tap, sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(temp))
        for part in (as_it_was, names_and_orders, many, joined, same_calls, nccl, different, alone, pickles, digests, redacted, odd_members, restarts, next_calls):
            part(check)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
