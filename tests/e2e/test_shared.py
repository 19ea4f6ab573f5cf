#!/usr/bin/env python3
"""Real traces, read by pt2trace and by a second reader that shares nothing with it.

    test_shared.py PT2TRACE SHARED [--some]

SHARED holds traces/ with counts.json, peer-inputs/ and docs/; without it everything is skipped. Compares pt2trace with the
counts of counts.json, with an independent count, with what PyTorch's own text logs say of the same process, and with tlparse
(TLPARSE in the environment, or on the PATH) where that is there. --some, for a slow build, prints few payloads and tries each
trace with two of the variants. Prints TAP.
"""

import datetime
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile
import time
import zlib
from collections import Counter

import reference
import torchlogs
from consistency import contradictions
from tap import Failed, Tap, report_of, run
from writer import Writer

SAMPLE = 30           # payloads of each trace that are printed one by one ...
SAMPLE_SECONDS = 15   # ... or as many as this allows
SOME = 3              # payloads of each trace with --some
SMALL = 3_000_000     # bytes: every variant is tried on traces below this
UNSUPPORTED = ("Unsupported", "ArgsMismatchError")  # with which Dynamo gives a frame up


class Trace:
    """One trace file, read by the reference."""

    def __init__(self, path, root):
        self.path = path
        self.name = str(path.relative_to(root))
        self.data = reference.unpacked(path)
        self.records, self.strange = reference.parse(self.data)
        self.compiles = reference.compiles(self.records)

    @property
    def old(self):
        """PyTorch before 2.4: a thread id stands where the process id does since."""
        return any(record.pid >= 1 << 32 for record in self.records)

    @property
    def has_breaks(self):
        """From 2.6 on every graph break is a record; earlier versions do not record theirs."""
        metrics = (record.json.get("compilation_metrics") for record in self.records if record.json)
        return any(fields.get("pytorch_version") for fields in metrics if fields)


def trace_files(shared):
    for path in sorted((shared / "traces").rglob("dedicated_log_torch_trace_*")):
        yield path, shared / "traces"
    for path in sorted((shared / "peer-inputs").iterdir()):
        if path.suffix in (".log", ".txt"):
            yield path, shared / "peer-inputs"


# --- counts ---------------------------------------------------------------------------------------------------------------


def test_counts(tap, trace, report, counts):
    found = {name: report["totals"][name] for name in reference.totals([])}
    tap.equal(f"{trace.name}: totals, as the test counts them", reference.totals(trace.records), found)
    if trace.name in counts:
        expected = counts[trace.name]
        tap.equal(f"{trace.name}: totals, as counts.json has them", {name: expected[name] for name in found}, found)
        kinds = Counter()
        for kind in report["kinds"]:
            kinds[kind["name"].split(":")[0]] += kind["count"]
        tap.equal(f"{trace.name}: kinds, as counts.json has them", expected["kinds"], dict(kinds))
        artifacts = {kind["name"].removeprefix("artifact:"): kind["count"]
                     for kind in report["kinds"] if kind["name"].startswith("artifact:")}
        tap.equal(f"{trace.name}: artifacts, as counts.json has them", expected["artifacts"], artifacts)
        test_expected_compiles(tap, trace, report, expected)
    tap.equal(f"{trace.name}: kinds, as the test counts them", dict(reference.kinds(trace.records)),
              {kind["name"]: kind["count"] for kind in report["kinds"]})
    tap.equal(f"{trace.name}: unknown records", 0, report["totals"]["unknown_records"])
    tap.empty(f"{trace.name}: no unknown kind", [message["text"] for message in report["messages"] if message["code"] == "unknown-kind"])


def test_expected_compiles(tap, trace, report, expected):
    """counts.json counts dynamo_start records: a compile that was refused has none."""
    ids = {compile_["id"] for compile_ in report["compiles"]}
    tap.equal(f"{trace.name}: distinct ids", expected["distinct_ids"], len(ids))
    started = [compile_ for compile_ in report["compiles"] if was_started(trace, compile_)]
    tap.equal(f"{trace.name}: compiles that began", expected["dynamo_starts"], len(started))
    tap.equal(f"{trace.name}: recompiles that began", expected["recompile_starts"], sum(compile_["recompile"] for compile_ in started))
    epochs = max((compile_["epoch"] + 1 for compile_ in started), default=0)
    tap.equal(f"{trace.name}: epochs", expected["epochs_at_least"], epochs)


def was_started(trace, compile_):
    pid = compile_["pid"] or 0
    return trace.compiles[pid, compile_["epoch"], compile_["id"]].started


def in_report(report):
    return {(compile_["pid"] or 0, compile_["epoch"], compile_["id"]): compile_ for compile_ in report["compiles"]}


def test_compiles(tap, trace, report):
    found = in_report(report)
    if not tap.equal(f"{trace.name}: compile ids", sorted(trace.compiles), sorted(found)):
        return
    both = [(mine, found[key]) for key, mine in trace.compiles.items()]
    compare(tap, f"{trace.name}: attempts", both, lambda mine: mine.attempts, "attempts")
    compare(tap, f"{trace.name}: operators", both, lambda mine: (mine.metrics or {}).get("graph_op_count"), "graph_ops")
    compare(tap, f"{trace.name}: guards", both, lambda mine: (mine.metrics or {}).get("guard_count"), "guards")
    compare(tap, f"{trace.name}: backward graphs", both, has_backward, "backward")
    begun = [(mine, theirs) for mine, theirs in both if (mine.metrics or {}).get("start_time_us")]
    compare(tap, f"{trace.name}: when they began", begun, lambda mine: mine.metrics["start_time_us"] // 1000,
            lambda theirs: round(datetime.datetime.fromisoformat(theirs["start"]).timestamp() * 1000))
    timed = [(mine, theirs) for mine, theirs in both if (mine.metrics or {}).get("duration_us") is not None]
    compare(tap, f"{trace.name}: durations", timed, lambda mine: mine.metrics["duration_us"] / 1e6, "duration_s")
    compare(tap, f"{trace.name}: functions", [(mine, theirs) for mine, theirs in both if function_of(mine)], function_of,
            lambda theirs: theirs["frame"]["name"])
    failed = {mine.id: theirs["status"] for mine, theirs in both if (mine.metrics or {}).get("fail_type")
              and theirs["status"] not in ("error", "graph_break" if mine.metrics["fail_type"] in UNSUPPORTED else "error")}
    tap.equal(f"{trace.name}: what failed is an error, or a graph break that Dynamo could not go on from", {}, failed)
    graphs = sum(len(mine.named("dynamo_output_graph")) for mine in trace.compiles.values())
    tap.equal(f"{trace.name}: graphs", graphs, report["totals"]["graphs"])


def compare(tap, name, both, of_mine, of_theirs):
    of_theirs = of_theirs if callable(of_theirs) else (lambda theirs, field=of_theirs: theirs[field])
    tap.empty(name, [f"{mine.epoch} {mine.id}: expected {of_mine(mine)!r}, found {of_theirs(theirs)!r}"
                     for mine, theirs in both if of_mine(mine) != of_theirs(theirs)])


def has_backward(mine):
    return bool(mine.named("aot_backward_graph") or mine.named("bwd_compilation_metrics"))


def function_of(mine):
    return (mine.metrics or {}).get("co_name")


def test_recompiles(tap, trace, report):
    numbers = [int(id.split("/")[-1]) for _, _, id in trace.compiles if "/" in id]
    tap.equal(f"{trace.name}: recompiles", sum(number > 0 for number in numbers), report["totals"]["recompiles"])
    silent = [item["compile"] for item in report["recompiles"] if not item["reasons"]]
    tap.equal(f"{trace.name}: every recompile has a reason", [], [] if trace.old else silent)


def test_graph_breaks(tap, trace, report):
    """From 2.6 on every break is a record; a place that one compile met several times counts once. A record that begins with
    WON'T CONVERT is the backend's exception, which the break follows."""
    expected = {key for key, mine in trace.compiles.items() if any(
        not record.payload.startswith(b"WON'T CONVERT") for record in mine.named("dynamo_graph_break_reason"))}
    found = {(ref["pid"] or 0, ref["epoch"], ref["id"]) for break_ in report["graph_breaks"] for ref in break_["compile_refs"]}
    if trace.has_breaks:
        tap.equal(f"{trace.name}: compiles that met a graph break", expected, found)
        records = sum(len(mine.named("dynamo_graph_break_reason")) for mine in trace.compiles.values())
        tap.point(f"{trace.name}: every graph break has a record", report["totals"]["graph_breaks"] <= records)
        places = [break_["type"] for break_ in report["graph_breaks"] if not (break_["file"] and break_["line"])]
        tap.empty(f"{trace.name}: every graph break has a place", places)


def cache_answer(record):
    name = record.name or ""
    if name in ("fx_graph_cache_hash", "aotautograd_cache_hash"):
        return json.loads(record.payload).get("cache_state")
    answer = re.fullmatch(r"(?:fx_graph|aotautograd|fx_graph_bundled)_cache_(hit|miss|bypass)|\w+_cache_(bypass)", name)
    if answer:
        return answer[1] or answer[2]
    return "hit" if re.fullmatch(r"get_\w+_code_state", name) else None


def test_symbols(tap, trace, report):
    kinds = Counter(record.kind for record in trace.records if record.json)
    tap.equal(f"{trace.name}: symbols", (kinds["create_symbol"], kinds["create_unbacked_symbol"]),
              tuple(sum(symbol["unbacked"] == unbacked for symbol in report["symbols"]) for unbacked in (False, True)))
    issues = ("missing_fake_kernel", "mismatched_fake_kernel", "guard_on_data_dependent_error", "propagate_real_tensors",
              "propagate_real_tensors_provenance")
    guards = sum(record.kind == "guard_added" and record.json["guard_added"].get("prefix") == "eval" and
                 "frame_id" not in record.json for record in trace.records)
    tap.equal(f"{trace.name}: export issues", sum(kinds[kind] for kind in issues) + guards, len(report["export_issues"]))


def test_caches(tap, trace, report):
    answers = Counter(filter(None, (cache_answer(record) for record in trace.records if record.kind == "artifact")))
    found = {name: report["totals"][total] or 0 for name, total in
             (("hit", "cache_hits"), ("miss", "cache_misses"), ("bypass", "cache_bypasses"))}
    tap.equal(f"{trace.name}: caches", {name: answers[name] for name in found}, found)
    events = report["totals"]["chromium_events"]
    tap.equal(f"{trace.name}: caches are known where the trace has them", bool(events or answers),
              report["totals"]["cache_hits"] is not None)


# --- numbers that can be believed -----------------------------------------------------------------------------------------


def union(intervals):
    length, end = 0.0, float("-inf")
    for start, stop in sorted(intervals):
        length += max(0.0, stop - max(start, end))
        end = max(end, stop)
    return length


def span_of_events(trace):
    """First to last moment of the timeline, in seconds; None without one."""
    moments = []
    for record in trace.records:
        if record.kind == "chromium_event" and record.lines:
            try:
                moments.append(json.loads(record.payload)["ts"] / 1e6)
            except ValueError:
                pass
    return max(moments) - min(moments) if moments else None


def span_of_lines(trace):
    """First to last line by the prefixes, in seconds."""
    times = re.findall(rb"^V\d{4} (\d\d):(\d\d):(\d\d\.\d+) ", trace.data, re.MULTILINE)
    seconds = [int(h) * 3600 + int(m) * 60 + float(s) for h, m, s in times]
    return max(seconds) - min(seconds)


def test_times(tap, trace, report):
    wall = report["totals"]["compile_wall_s"]
    longest = max(filter(None, (span_of_events(trace), span_of_lines(trace))))
    tap.point(f"{trace.name}: compiling took no longer than the trace", wall is None or wall <= longest + 0.01, wall, longest)
    own = sum(phase["self_s"] for phase in report["phases"])
    span = span_of_events(trace)
    tap.point(f"{trace.name}: self times add up to no more than the timeline", span is None or own <= span + 0.001, own, span)
    metrics = [record.json[record.kind] for record in trace.records
               if record.kind in ("compilation_metrics", "bwd_compilation_metrics")]
    measured = [(m["start_time_us"], m.get("end_time_us") or m["start_time_us"] + m["duration_us"])
                for m in metrics if m.get("start_time_us")]
    if measured:
        mine = union(measured) / 1e6
        tap.point(f"{trace.name}: wall time of compiling agrees with the metrics", mine - 0.001 <= wall <= mine * 1.05 + 0.7, mine, wall)
    # Until 2.5 a compile may have one record, which says when it was and not how long it took.
    brief = re.match(r"2\.[3-5]\b", (report["environment"].get("pytorch") or ""))
    negative = [compile_["id"] for compile_ in report["compiles"]
                if (compile_["duration_s"] is None and not brief) or compile_["start"] is None]
    tap.equal(f"{trace.name}: every compile has a time", [], negative)
    sums = sum(m["duration_us"] for m in metrics if m.get("duration_us")) / 1e6
    expected = sum((compile_["duration_s"] or 0) + (compile_["backward_duration_s"] or 0) for compile_ in report["compiles"])
    if all(record.id for record in trace.records if record.kind == "compilation_metrics") and len(measured) == len(metrics) > 0:
        tap.point(f"{trace.name}: durations, forward and backward", abs(sums - expected) < 0.001, sums, expected)


def test_places(tap, trace, report):
    """Where a trace names a file it always does: a place without one is a mistake of ours."""
    nameless = [compile_["id"] for compile_ in report["compiles"] if was_started(trace, compile_) and not compile_["frame"]["file"]]
    tap.empty(f"{trace.name}: every frame has a file", [] if trace.old else nameless)
    unknown = [call["file"] for compile_ in report["compiles"] for call in compile_["stack"] if (call["file"] or "").startswith("<str ")]
    tap.empty(f"{trace.name}: every interned file name is known", sorted(set(unknown)))
    if trace.old:
        wrong = [compile_["id"] for compile_ in report["compiles"] if "torch/_dynamo/" in (compile_["frame"]["file"] or "")]
        tap.empty(f"{trace.name}: no wrapper of Dynamo is taken for the frame", wrong)
    errors = [error["compile"] for error in report["errors"] if error["compile"] is not None and not error["file"]]
    tap.empty(f"{trace.name}: every error has a file", [] if trace.old else errors)


# --- payloads -------------------------------------------------------------------------------------------------------------

NOT_KEPT = ("chromium_event",)  # its facts are the timeline


def test_payloads(tap, trace, report):
    """Each payload is listed, with the size, lines and digest that the test counts."""
    expected = Counter((record.number, len(record.payload), len(record.lines), record.announced)
                       for record in trace.records if record.lines and record.json and record.kind not in NOT_KEPT)
    found = Counter((artifact["record_line"], artifact["bytes"], artifact["lines"], artifact["md5"])
                    for owner in report["compiles"] + report["unattributed"] for artifact in owner["artifacts"]
                    if artifact["bytes"] is not None)
    tap.empty(f"{trace.name}: no payload is lost", [f"line {line}" for line, *_ in expected - found])
    tap.empty(f"{trace.name}: no payload is made up", [f"line {line}" for line, *_ in found - expected])
    damaged = {artifact["record_line"] for owner in report["compiles"] + report["unattributed"]
               for artifact in owner["artifacts"] if artifact["damaged"]}
    wrong = {record.number for record in trace.records if record.lines and record.kind not in NOT_KEPT and record.json
             and record.announced and record.digest != record.announced}
    tap.equal(f"{trace.name}: damaged payloads", wrong, damaged)


def test_files(tap, pt2trace, trace, temp):
    """--artifacts all: every payload as a file, byte for byte."""
    report = report_of(pt2trace, temp / "files", trace.path, options=("--artifacts", "all"))
    expected = {record.number: record.digest for record in trace.records if record.lines and record.json}
    wrong = []
    for owner in report["compiles"] + report["unattributed"]:
        for artifact in owner["artifacts"]:
            if artifact["bytes"] is not None:
                data = (temp / "files" / artifact["path"]).read_bytes()
                if hashlib.md5(data).hexdigest() != expected[artifact["record_line"]]:
                    wrong.append(f"line {artifact['record_line']}: {artifact['path']}")
    tap.empty(f"{trace.name}: payloads as files", wrong)
    shutil.rmtree(temp / "files")


def sample_of(trace, size):
    payloads = {record.announced: record for record in trace.records
                if record.lines and record.json and record.kind not in NOT_KEPT and record.announced == record.digest}
    names = sorted(payloads)
    return [payloads[name] for name in random.Random(trace.name).sample(names, min(size, len(names)))]


def test_show(tap, name, pt2trace, path, records, *options):
    """Only with --verify is seen what is glued to a payload: without digests it is part of it."""
    wrong, began, shown = [], time.monotonic(), 0
    for record in records:
        if shown >= 3 and time.monotonic() - began > SAMPLE_SECONDS:
            break
        done = run(pt2trace, "show", *options, path, record.announced)
        shown += 1
        if done.returncode or hashlib.md5(done.stdout).hexdigest() != record.announced:
            wrong.append(f"{record.announced} of line {record.number}: exit {done.returncode}, {len(done.stdout)} bytes")
    tap.empty(f"{name}: show prints payloads as they are", wrong)


# --- what happens to a trace on its way -----------------------------------------------------------------------------------


def each_line(data, change):
    return b"".join(change(line) + b"\n" for line in data.split(b"\n")[:-1])


def glue(data):
    """The trace as two files, one appended to the other whose last newline is missing."""
    starts = [match.start() for match in re.finditer(rb"^V\d{4} ", data, re.MULTILINE)]
    middle = starts[len(starts) // 2]
    return data[:middle - 1] + data[middle:]


VARIANTS = {
    "rank prefix": lambda data: each_line(data, lambda line: b"[rank0]:" + line),
    "container time": lambda data: each_line(data, lambda line: b"2026-11-21T07:54:38.027Z " + line),
    "trainer prefix": lambda data: each_line(data, lambda line: b"[trainer0|1]: " + line),
    "colored prefix": lambda data: each_line(data, lambda line: b"\x1b[36m[rank0]:\x1b[0m" + line),
    "colored lines": lambda data: each_line(data, lambda line: b"\x1b[2m" + line + b"\x1b[0m"),
    "CRLF": lambda data: each_line(data, lambda line: line + b"\r"),
    "gzip": lambda data: gzip.compress(data, 1),
    "two files glued": glue,
}


def facts(report):
    """What a prefix must not change."""
    return {
        "totals": {name: value for name, value in report["totals"].items()},
        "kinds": {kind["name"]: kind["count"] for kind in report["kinds"]},
        "payloads": Counter((artifact["bytes"], artifact["lines"], artifact["md5"], artifact["damaged"])
                            for owner in report["compiles"] + report["unattributed"] for artifact in owner["artifacts"]),
        "compiles": [(item["epoch"], item["id"], item["status"], item["duration_s"]) for item in report["compiles"]],
    }


def variants_of(trace, some):
    """With --some two, which stay the same when another trace is added."""
    names = sorted(VARIANTS, key=lambda name: zlib.crc32(f"{trace.name}, {name}".encode())) if some else list(VARIANTS)
    return names[:2 if some else None]


def test_variant(tap, name, change, pt2trace, trace, before, temp):
    """A payload that holds carriage returns or colors itself cannot be distinguished from one that was given them."""
    if name == "CRLF" and b"\r" in trace.data or name.startswith("colored") and b"\x1b" in trace.data:
        return
    if not trace.data.endswith(b"\n"):
        return
    path = temp / "variant.log"
    path.write_bytes(change(trace.data))
    stat = trace.path.stat()
    os.utime(path, (stat.st_mtime, stat.st_mtime))
    title = f"{trace.name}, {name}"
    try:
        tap.equal(f"{title}: the same facts", before, facts(report_of(pt2trace, temp / "out", path)))
        test_show(tap, title, pt2trace, path, sample_of(trace, 3), "--verify")
    except Failed as error:
        tap.point(f"{title}: is read", False, error)


# --- what PyTorch says itself ---------------------------------------------------------------------------------------------


def test_logs(tap, name, messages, report, trace):
    """The log's ids have no epochs, so counts are compared by id: where the log has recompiles, and not 2.3's without ids."""
    ids, reasons = torchlogs.recompiles(messages)
    logged = trace.old or any(message.artifact in torchlogs.RECOMPILES for message in messages)
    if logged and None not in ids:
        tap.equal(f"{name}: recompiles, as PyTorch logged them", dict(ids), dict(Counter(item["compile"] for item in report["recompiles"])))
        expected = Counter((item["compile"], reason["against"], (reason["text"] or "").split("  #")[0].strip())
                       for item in report["recompiles"] for reason in item["reasons"])
        if reasons:
            tap.equal(f"{name}: guards that failed, as PyTorch logged them", dict(reasons), dict(expected))
        tap.equal(f"{name}: recompile limits, as PyTorch logged them", dict(torchlogs.limit_hits(messages)),
                  dict(Counter(item["id"] for item in report["compiles"] if item["limit_hit"])))
    if trace.has_breaks:
        found = Counter((id, break_["file"], break_["line"]) for break_ in report["graph_breaks"] for id in break_["compiles"])
        tap.equal(f"{name}: graph breaks by compile and place, as PyTorch logged them", dict(torchlogs.graph_breaks(messages)), dict(found))
    elif not trace.old:
        missed = torchlogs.old_graph_breaks(messages) - Counter(id for break_ in report["graph_breaks"] for id in break_["compiles"])
        tap.equal(f"{name}: graph breaks that PyTorch logged are there", {}, dict(missed))


def same_process(messages, trace):
    return any(message.pid == str(trace.records[0].pid) for message in messages)


def test_beside(tap, pt2trace, trace, report, shared):
    """logs*.txt.gz beside the trace, of the same process."""
    for path in sorted(trace.path.parent.parent.glob("logs*.txt.gz")):
        messages = torchlogs.messages(path)
        if same_process(messages, trace):
            test_logs(tap, str(path.relative_to(shared / "traces")), messages, report, trace)
    rank = re.search(r"rank_(\d+)", trace.path.name)
    path = trace.path.parent.parent / "logs" / "attempt_0" / (rank[1] if rank else "") / "stderr.log.gz"
    if rank and path.exists():
        test_logs(tap, str(path.relative_to(shared / "traces")), torchlogs.messages(path), report, trace)


# --- tlparse --------------------------------------------------------------------------------------------------------------


def tlparse_binary():
    return shutil.which(os.environ.get("TLPARSE", "tlparse"))


def test_tlparse(tap, trace, report, temp):
    """Its directory has one entry per id and attempt, whatever the epoch; of ours, artifacts with a payload."""
    (temp / "plain.log").write_bytes(trace.data)
    done = run(tlparse_binary(), temp / "plain.log", "-o", temp / "tl", "--overwrite", "--no-browser")
    path = temp / "tl" / "compile_directory.json"
    if done.returncode or not path.exists():
        tap.skip(f"{trace.name}: tlparse", "it cannot read this trace")
        return
    theirs, ids = Counter(), set()
    for entry, content in json.loads(path.read_text()).items():
        id = re.fullmatch(r"\[(!?[-\d/]+)(?:_\d+)?\]", entry)[1]
        id = None if id in ("-/-", "unknown") else id
        ids.add(id)
        for artifact in content["artifacts"]:
            theirs[id, re.sub(r"_\d+(\.\w+)?$", "", artifact["name"])] += 1
    mine, names = Counter(), set()
    for owner in report["compiles"] + report["unattributed"]:
        for artifact in owner["artifacts"]:
            if artifact["bytes"] is not None:
                name = re.sub(r"[^\w.]", "_", artifact["name"])
                mine[owner.get("id"), name] += 1
                names |= {name} if artifact["kind"] == "artifact" else set()
    # It leaves records without a rank out where others have one.
    ranked = report["ranks"]["present"] != []
    mine, theirs = ({key: count for key, count in counts.items() if key[1] in names and not (ranked and key[0] is None)}
                    for counts in (mine, theirs))
    tap.equal(f"{trace.name}: compile ids, as tlparse has them", ids - {None}, {compile_["id"] for compile_ in report["compiles"]})
    tap.equal(f"{trace.name}: artifacts by id, as tlparse has them", theirs, mine)
    shutil.rmtree(temp / "tl")


# --- all of it ------------------------------------------------------------------------------------------------------------


def test_names(tap, pt2trace, shared, temp):
    """Every record that a version of PyTorch writes is known."""
    names = set()
    for path in (shared / "docs" / "record-names").glob("names_*.txt"):
        names |= set(re.findall(r"^'(\w+)'$", path.read_text(), re.MULTILINE))
    names -= {"get_extra_remote_code_state", "put_local_code_state", "put_remote_code_state", "string"}  # no records
    w = Writer()
    for name in sorted(names):
        w.record(name, {}, "payload", frame_id=0, frame_compile_id=0)
    (temp / "names.log").write_bytes(w.data)
    report = report_of(pt2trace, temp / "out", temp / "names.log")
    tap.empty(f"{len(names)} names of records are known", [kind["name"] for kind in report["kinds"] if not kind["known"]])


def test_trace(tap, pt2trace, trace, shared, counts, temp, some):
    report = report_of(pt2trace, temp / "out", trace.path)
    tap.empty(f"{trace.name}: no contradiction", contradictions(report))
    test_counts(tap, trace, report, counts)
    test_compiles(tap, trace, report)
    test_recompiles(tap, trace, report)
    test_graph_breaks(tap, trace, report)
    test_symbols(tap, trace, report)
    test_caches(tap, trace, report)
    test_times(tap, trace, report)
    test_places(tap, trace, report)
    test_payloads(tap, trace, report)
    test_files(tap, pt2trace, trace, temp)
    test_show(tap, trace.name, pt2trace, trace.path, sample_of(trace, SOME if some else SAMPLE))
    test_beside(tap, pt2trace, trace, report, shared)
    if tlparse_binary():
        test_tlparse(tap, trace, report, temp)
    if len(trace.data) < SMALL:
        before = facts(report)
        for name in variants_of(trace, some):
            test_variant(tap, name, VARIANTS[name], pt2trace, trace, before, temp)


def main(pt2trace, shared, some=""):
    tap, pt2trace, shared = Tap(), pathlib.Path(pt2trace).resolve(), pathlib.Path(shared).resolve()
    if not (shared / "traces" / "counts.json").exists():
        print(f"1..0 # SKIP no traces in {shared}")
        return 0
    counts = json.loads((shared / "traces" / "counts.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="pt2trace-shared-") as temp:
        temp = pathlib.Path(temp)
        test_names(tap, pt2trace, shared, temp)
        seen = set()
        for path, root in trace_files(shared):
            trace = Trace(path, root)
            seen.add(trace.name)
            try:
                test_trace(tap, pt2trace, trace, shared, counts, temp, some == "--some")
            except Failed as error:
                tap.point(f"{trace.name}: is read", False, error)
        tap.equal("every trace of counts.json was read", set(), set(counts) - seen)
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
