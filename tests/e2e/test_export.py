#!/usr/bin/env python3
"""`pt2trace export`: what each format holds, that other programs can read it, and that no text of a trace is markup in it.

    test_export.py PT2TRACE TESTDATA

Prints TAP.
"""

import csv
import decimal
import gzip
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import hostile
import reference
from kept_calls import keep
from tap import Tap, report_of, run
from writer import Writer

MARKDOWN_MAX = 60000
HEADINGS = ["### \U0001f41b Describe the bug", "#### Findings", "### Error logs", "### How to reproduce", "### Versions"]
FORMATS = ("markdown", "json", "tables", "raw", "perfetto", "speedscope", "collapsed", "sarif")
DIRECTORY_FORMATS = ("csv", "tlparse")


class Context:
    def __init__(self, tap, pt2trace, testdata, temp):
        self.tap, self.pt2trace, self.testdata, self.temp = tap, pt2trace, testdata, pathlib.Path(temp)

    def trace(self, name):
        return self.testdata / name / "trace"

    def export(self, format, *paths, options=()):
        return run(self.pt2trace, "export", "--format", format, *options, *paths)


# --- markdown as GitHub reads it --------------------------------------------------------------------------------------


def without_fences(text):
    """The text outside of fenced blocks; None when a block is not closed."""
    out, fence = [], None
    for line in text.split("\n"):
        match = re.match(r"(`{3,})", line)
        if fence is None and match:
            fence = match[1]
        elif fence is None:
            out.append(line)
        elif match and len(match[1]) >= len(fence) and not line.strip("`"):
            fence = None
    return None if fence else "\n".join(out)


def without_spans(text):
    """The text outside of code spans: a span ends with as many backticks as it begins with, and on its line here."""
    return re.sub(r"(?<![\\`])(`+)(?!`)(?:(?!\n).)*?(?<!`)\1(?!`)", "", text)


MARKUP = {
    "a tag": re.compile(r"<"),
    "a reference to a character that is not ours": re.compile(r"&(?!lt;|gt;|amp;)"),
    "a mention": re.compile(r"@(?!\u200b)"),
    "a reference to an issue": re.compile(r"(?<!\\)#(?=\d)|\bGH-\d", re.I),
    "a link or an image": re.compile(r"(?<!\\)\]\s*\(|(?<!\\)!\["),
    "an address": re.compile(r"://|\bwww\.", re.I),
    "a backtick": re.compile(r"(?<!\\)`"),
    "emphasis": re.compile(r"(?<![\\\w*])\*(?![\s*])|(?<!\\)~~|(?<!\\)\|"),
    "a control character": re.compile(r"[\0-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]"),
}


def markup(text):
    """What GitHub would take for markup, and we did not write."""
    plain = without_fences(text)
    if plain is None:
        return ["a block is not closed"]
    found = []
    for number, line in enumerate(without_spans(plain).split("\n"), 1):
        line = line.replace("**", "").replace("&#8203;", "\u200b")
        line = re.sub(r"^(### |#### |- |  |---$|_\d+ more .*_$)", "", line)
        found += [f"line {number}: {what}: {line[max(0, match.start() - 40):match.start() + 40]!r}"
                  for what, pattern in MARKUP.items() if (match := pattern.search(line))]
    if match := MARKUP["a control character"].search(text):
        found.append(f"a control character at {match.start()}")
    return found


def headings(text):
    return [line for line in without_fences(text).split("\n") if line in HEADINGS]


def check_markdown(context, name, done):
    text = done.stdout.decode("utf-8", "replace")
    context.tap.equal(f"{name}: is written", [0, b""], [done.returncode, done.stderr[:200]])
    context.tap.point(f"{name}: is UTF-8 of at most {MARKDOWN_MAX} bytes", text.encode() == done.stdout and len(done.stdout) < MARKDOWN_MAX,
                      len(done.stdout))
    context.tap.equal(f"{name}: has the parts that the form asks for", HEADINGS, headings(text))
    context.tap.empty(f"{name}: nothing in it is markup but ours", markup(text))
    return text


def test_markdown_checks(context):
    """What the checks must find."""
    for what, text in (("a tag", "<b>"), ("a tag", "a `b` <img>"), ("a reference to a character that is not ours", "&nbsp;"), ("a mention", "hi @user"),
                       ("a reference to an issue", "see #12"), ("a link or an image", "[a](b)"), ("an address", "https://x.y"), ("a backtick", "a ` b"),
                       ("emphasis", "a *b*"), ("a control character", "a\x1b[0m")):
        found = markup(text)
        context.tap.point(f"the check finds {what}: {text!r}", any(what in line for line in found), found)
    for text in ("`<b> @user`", "``a`b <i>``", "```\n<b>\n```", "\\[a\\]\\(b\\)", "a &lt;b&gt; @&#8203;c", "## 4"):
        context.tap.empty(f"the check lets {text!r} pass", markup(text))
    context.tap.equal("the check finds a block that is not closed", ["a block is not closed"], markup("```\na"))


def test_markdown(context):
    for name in ("errors", "errors_inductor", "graph_breaks", "recompiles", "recompile_limit", "clean_train", "dist2", "odd_names", "hello-2.3.1"):
        for options in ((), ("--redact",), ("--skeleton",)):
            check_markdown(context, f"markdown of {name} {' '.join(options)}", context.export("markdown", context.trace(name), options=options))


def test_markdown_content(context):
    folder = context.trace("errors")
    report = report_of(context.pt2trace, context.temp / "errors", folder)
    text = context.export("markdown", folder, options=("--title", "It *fails*", "--note", "Since <yesterday>, @you")).stdout.decode()
    at = [text.find(re.sub(r"[`\\]", "", finding["title"])[:30]) for finding in report["findings"]]
    plain = re.sub(r"\\(.)", r"\1", text)
    context.tap.point("findings are there, worst first", sorted(at) == at or all(f["file"] in text for f in report["findings"]), at)
    context.tap.point("errors are there", all(error["type"] in text for error in report["errors"]))
    context.tap.point("versions are there", report["environment"]["pytorch"] in text and report["environment"]["commit"] in text)
    context.tap.point("the sender's words are there", "**It *fails***" in plain and "Since &lt;yesterday&gt;, @&#8203;you" in plain, text[:300])
    context.tap.point("settings are there", "`" + report["configuration"]["differing"][0]["name"] in text if report["configuration"]["differing"] else True)
    text = context.export("markdown", context.trace("errors_inductor")).stdout.decode()
    context.tap.point("a program that reproduces it is there", "```python\n" in text and "fx_graph_runnable" in text)


def test_hostile(context):
    folder = context.temp / "hostile"
    folder.mkdir()
    hostile.write(folder)
    for options in ((), ("--redact",), ("--skeleton",)):
        check_markdown(context, f"markdown of a hostile trace {' '.join(options)}", context.export("markdown", folder, options=options))


ENDINGS = ("``` \n<b>", "````", "`", "``", "\n```\n# no\n", "![x](y)", "@team", "#1 GH-2 org/repo#3", "<!--", "| a | b |", "&copy;", "\\", "\\`",
           "www.example.com http://example.com", "\u202eabc", "\x1b[31m", "</details>", "- [ ] x", "***", "~~x~~", "$x$", "---", "1. x")


def test_for_agent(context):
    """Nothing that a trace says is outside of a fence."""
    folder = context.temp / "hostile"
    report = json.loads(context.export("json", folder).stdout)
    done = context.export("markdown", folder, options=("--for", "agent"))
    text, outside = done.stdout.decode(), without_fences(done.stdout.decode())
    context.tap.point("for agents: is written, and bounded", done.returncode == 0 and len(text) < MARKDOWN_MAX + 3000, done.stderr)
    headings = [line for line in outside.split("\n") if line.startswith("### ")]
    context.tap.equal("for agents: all findings, worst first", [f"### {finding['id']}: {finding['severity']}" for finding in report["findings"]][:len(headings)],
                      headings)
    rest = [line for line in outside.split("\n") if line and not re.fullmatch(r"### [a-z0-9-]+: [a-z]+|#+ [\w, .]+|- `pt2trace .*|_\d+ more .*", line)]
    context.tap.equal("for agents: outside of fences are two sentences of ours", 2, len(rest))
    text = context.export("markdown", context.trace("recompiles"), options=("--for", "agent")).stdout.decode()
    context.tap.point("for agents: with texts to paste", "to paste" in text and "fix: " in text, text[:500])
    context.tap.equal("for agents: markdown alone", 2, context.export("json", folder, options=("--for", "agent")).returncode)
    context.tap.equal("for agents: nobody else", 2, context.export("markdown", folder, options=("--for", "me")).returncode)


def test_endings(context):
    """Texts that end code, as a message, as source, as a name of a function and of a file."""
    writer = Writer()
    for number, text in enumerate(ENDINGS):
        id = {"frame_id": number, "frame_compile_id": 0, "attempt": 0}
        writer.start(text, 3, f"/x/{text}.py", **id)
        writer.artifact("dynamo_graph_break_reason", f"Graph break in user code at /x/{text}.py:3\nReason: {text}\n{text}\n", **id)
        writer.metrics(id=id, compile_id=f"{number}/0", co_name=text, co_filename=f"/x/{text}.py", fail_type=text, fail_reason=f"{text} {text}")
    folder = context.temp / "endings"
    folder.mkdir()
    (folder / "dedicated_log_torch_trace_x.log").write_bytes(writer.data)
    text = check_markdown(context, "markdown of texts that end code", context.export("markdown", folder))
    context.tap.point("they are shown", "/x/@team.py" in text and "org/repo" in text)


def test_large(context):
    """Thousands of everything, and texts of any length: bounded, and it is said what was left out."""
    writer = Writer()
    for number in range(3000):
        id, file = {"frame_id": number, "frame_compile_id": 0, "attempt": 0}, f"/x/{'long/' * 50}file{number}.py"
        writer.start(f"function{number}", number + 1, file, **id)
        writer.metrics(id=id, compile_id=f"{number}/0", co_name=f"function{number}", co_filename=file, co_firstlineno=number + 1,
                       fail_type=f"Error{number % 400}", fail_reason=f"reason {number} `" + "`&<@" * 5000)
    writer.artifact("fx_graph_runnable", "".join(f"torch._inductor.config.x{number} = {number}\n" for number in range(300)), frame_id=0, frame_compile_id=0)
    folder = context.temp / "large"
    folder.mkdir()
    (folder / "dedicated_log_torch_trace_x.log").write_bytes(writer.data)
    text = check_markdown(context, "markdown of a large trace", context.export("markdown", folder))
    context.tap.point("it says what was left out", re.search(r"_\d+ more .* left out", text))
    shown, left_out = len(re.findall(r"(?m)^- `torch\._inductor\.config\.x\d+ = ", text)), re.search(r"_(\d+) more settings were left out", text)
    context.tap.point("settings that do not fit are counted", left_out and shown + int(left_out[1]) == 300, shown, left_out)
    context.tap.point("the last part is there", "Written by pt2trace" in text)
    text = context.export("markdown", folder, options=("--for", "agent")).stdout.decode()
    left_out = re.search(r"_\d+ more findings were left out", text)
    context.tap.point("for agents: not all fit, and the last part is there", left_out and "## To see more" in without_fences(text))


# --- other formats ----------------------------------------------------------------------------------------------------


def test_json(context):
    folder = context.trace("recompiles")
    report = report_of(context.pt2trace, context.temp / "json", folder)
    exported = json.loads(context.export("json", folder).stdout)
    for each in (report, exported):
        each["tool"]["command"] = None
        for compile in each["compiles"] + each["unattributed"]:
            for artifact in compile["artifacts"]:
                artifact["stored"] = None
    context.tap.point("json is report.json, but for where payloads are stored", report == exported)


def test_tables(context):
    folder = context.trace("caches_warm")
    report = json.loads(context.export("json", folder).stdout)
    rows = {}
    for line in context.export("tables", folder).stdout.splitlines():
        row = json.loads(line)
        rows.setdefault(row.pop("table"), []).append(row)
    for compile in report["compiles"]:
        del compile["artifacts"]
    names = ("inputs", "findings", "graph_breaks", "recompiles", "errors", "phases", "compiles", "configurations", "caches", "symbols",
             "kernels")
    context.tap.equal("tables hold the lists of report.json", {name: report[name] for name in names if report[name]}, rows)


def test_perfetto(context):
    folder = context.trace("dist2")
    report = json.loads(context.export("json", folder).stdout)
    trace = json.loads(context.export("perfetto", folder).stdout)
    events = [event for event in trace["traceEvents"] if event["ph"] != "M"]
    wrong = [event for event in events if event["ph"] not in "Xi" or not {"name", "pid", "tid", "ts"} <= set(event) or event.get("dur", 0) < 0]
    context.tap.empty("perfetto: events have what the format asks for", wrong)
    context.tap.equal("perfetto: every process has its name", {process for process in range(report["totals"]["processes"])},
                      {event["pid"] for event in trace["traceEvents"] if event["name"] == "process_name" and event["args"]["name"]})
    counts = {(phase["process"], phase["name"]): phase["count"] for phase in report["phases"]}
    found = {}
    for event in events:
        if event["ph"] == "X":
            found[event["pid"], event["name"]] = found.get((event["pid"], event["name"]), 0) + 1
    context.tap.equal("perfetto: it has the events that report.json counts", counts, found)
    written = [event for path in sorted(folder.glob("*.gz")) for event in chromium_events(gzip.decompress(path.read_bytes()).decode())]
    begins = sorted((event["ts"], event["name"]) for event in written if event["ph"] in "Bi")
    context.tap.equal("perfetto: times are those of the trace, to the last digit", begins, sorted((event["ts"], event["name"]) for event in events))
    shown = {(event["ts"], event["name"], key): value for event in written if event["ph"] in "Bi" for key, value in event.get("args", {}).items()
            if key not in ("compile_id", "frame", "unfinished")}
    kept = {(event["ts"], event["name"], key): value for event in events for key, value in event["args"].items()}
    context.tap.equal("perfetto: so are arguments", shown, {key: kept.get(key) for key in shown})
    context.tap.point("perfetto: there are some", len(shown) > 10, len(shown))


def chromium_events(trace):
    """The events of a trace, as PyTorch wrote them."""
    for record in re.split(r"(?m)^(?=[VIWE]\d{4} )", trace):
        head, _, payload = record.partition("\n")
        if '"chromium_event"' in head:
            yield json.loads(payload)


def test_raw(context):
    for name in ("hello", "ranks_shape", "errors", "graph_breaks-2.4.1"):
        folder = context.trace(name)
        rows = [json.loads(line) for line in context.export("raw", folder).stdout.splitlines()]
        records = [(path, record) for path in sorted(folder.iterdir())
                   for record in reference.parse(reference.unpacked(path))[0]]
        context.tap.equal(f"raw: {name}: every record, in the order of the files", [(path.name, record.json) for path, record in records],
                          [(pathlib.Path(row["input"]).name, {key: row[key] for key in record.json}) for row, (_, record) in zip(rows, records)])
        context.tap.equal(f"raw: {name}: nothing more", len(records), len(rows))
        wrong = [row["line"] for row in rows if ("payload" in row) != ("has_payload" in row) or
                 "payload" in row and hashlib.md5(row["payload"].encode()).hexdigest() != row["has_payload"]]
        context.tap.empty(f"raw: {name}: payloads are those of the digests", wrong)
        odd = [row for row in rows if not re.fullmatch(r"2026-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}", row["timestamp"]) or
               not re.fullmatch(r"torch/[\w/.]+\.py", row["pathname"]) or row["lineno"] < 1]
        context.tap.empty(f"raw: {name}: times and places", odd)
    test_raw_odd(context)


def test_raw_odd(context):
    """Two writers through a launcher, a payload that is damaged, one that is long, and a record that cannot be read."""
    folder = context.temp / "raw"
    folder.mkdir()
    long = "x" * (1 << 20) + "y"
    first, second = Writer(), Writer()
    for writer, text in ((first, "one"), (second, long)):
        writer.artifact("note", text)
        writer.artifact("end", "two")
    lines = [[prefix + line for line in writer.data.split(b"\n") if line] for prefix, writer in ((b"[rank0]:", first), (b"[rank1]:", second))]
    mixed = [line for pair in zip(*lines) for line in pair]
    (folder / "dedicated_log_torch_trace_a.log").write_bytes(b"\n".join(mixed).replace(b"\tone", b"\tsix") + b"\n" +
                                                            mixed[0].partition(b"{")[0] + b'{"artifact": {"na\n')
    rows = [json.loads(line) for line in context.export("raw", folder).stdout.splitlines()]
    shown = sorted((row["artifact"]["name"], row.get("payload", str(row.get("payload_at", {}).get("bytes"))), row.get("payload_damaged", False))
                  for row in rows if "artifact" in row)
    context.tap.equal("raw: writers that are mixed", [("end", "two", False), ("end", "two", False)], shown[:2])
    context.tap.equal("raw: a payload that is damaged", ("note", "six", True), shown[3])
    context.tap.equal("raw: a long payload is given by its place", ("note", str(len(long)), False), shown[2])
    context.tap.equal("raw: what cannot be read is there as it is", ['{"artifact": {"na'], [row["unreadable"] for row in rows if "unreadable" in row])
    for option in ("--redact", "--skeleton"):
        context.tap.equal(f"raw: {option} is refused", 2, run(context.pt2trace, "export", "--format", "raw", option, folder).returncode)


def pairs_of_trace(path):
    """(name, begin, duration) in µs of the events of a trace file that never overlap one of their name."""
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    found = {}
    for payload in re.findall(r'\{"chromium_event": .*\n((?:\t.*\n)+)', text.decode()):
        event = json.loads(payload)
        found.setdefault(event["name"], []).append((event["ph"], event["ts"]))
    for name, events in found.items():
        begins, ends = events[::2], events[1::2]
        if {phase for phase, _ in begins} == {"B"} and {phase for phase, _ in ends} == {"E"}:
            yield from ((name, begin, end - begin) for (_, begin), (_, end) in zip(begins, ends))


def test_perfetto_times(context):
    """Begin and duration are those of the trace; a real of 15 digits has no room for them."""
    folder = context.trace("dist2")
    events = json.loads(context.export("perfetto", folder).stdout)["traceEvents"]
    expected = [pair for path in sorted(pathlib.Path(folder).iterdir()) for pair in pairs_of_trace(path)]
    lost = [(name, begin) for name, begin, duration in expected
            if not any(event["name"] == name and event["ph"] == "X" and abs(event["ts"] - begin) <= 1 and
                       abs(event["dur"] - duration) <= 1 for event in events)]
    context.tap.point("perfetto: there are events whose times the trace says", len(expected) > 10, len(expected))
    context.tap.empty("perfetto: times are those of the trace, to the microsecond", lost)


def test_perfetto_estimates(context):
    """A process of its own for each rank, a thread for each graph, and there its operators one after the other."""
    folder = context.temp / "estimates"
    folder.mkdir()
    for rank in (0, 1):
        writer = Writer(rank=rank, pid=100 + rank)
        for number in (0, 1):
            writer.compile(0, number)
            ops = [{"name": "mm", "type": "compute", "estimated_runtime_ns": 1500.9 + rank},
                   {"name": "all_reduce", "type": "collective", "estimated_runtime_ns": 250}, {"name": "view"}]
            writer.artifact("inductor_runtime_and_tensor_meta", json.dumps({"ops": ops}), frame_id=0, frame_compile_id=number, attempt=0)
        (folder / f"dedicated_log_torch_trace_rank_{rank}_x.log").write_bytes(writer.data)
    report = json.loads(context.export("json", folder).stdout)
    context.tap.equal("estimates: of each operator, and their sum", [(1750 + c["rank"], 3, [("mm", "compute", 1500 + c["rank"]), ("all_reduce", "collective", 250),
                                                                     ("view", None, 0)]) for c in report["compiles"]],
                      [(g["ns"], g["count"], [(op["name"], op["type"], op["ns"]) for op in g["operators"]])
                       for c in report["compiles"] for g in c["estimates"]])
    events = json.loads(context.export("perfetto", folder).stdout)["traceEvents"]
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    context.tap.equal("perfetto: processes of both ranks, and of their estimates",
                      ["rank 0, pid 100", "rank 0, pid 100: estimated run time", "rank 1, pid 101", "rank 1, pid 101: estimated run time"],
                      sorted(names.values()))
    places = {names[event["pid"]]: event["args"]["sort_index"] for event in events if event["name"] == "process_sort_index"}
    context.tap.equal("perfetto: a rank's estimates stand below it", sorted(names.values()), sorted(places, key=places.get))
    found = [(names[event["pid"]][5], event["tid"], event["name"], event["args"]["estimated_ns"]) for event in events if event.get("cat") == "estimate"]
    context.tap.equal("perfetto: the operators of each graph", [(str(rank), graph, name, ns) for rank in (0, 1) for graph in (1, 2)
                                                                for name, ns in (("mm", 1500 + rank), ("all_reduce", 250), ("view", 0))], found)
    lines = context.export("perfetto", folder).stdout.decode().splitlines()
    times = [(int(m[1].replace(".", "")), int(m[2].replace(".", ""))) for line in lines if '"cat":"estimate"' in line
             for m in [re.search(r'"ts":(\d+\.\d{3}),"dur":(\d+\.\d{3})', line)]]
    context.tap.equal("perfetto: one begins where the one before ends", [times[i][0] + times[i][1] for i in (0, 1, 3, 4)], [times[i][0] for i in (1, 2, 4, 5)])


def test_collapsed(context):
    folder = context.trace("caches_cold")
    report = json.loads(context.export("json", folder).stdout)
    lines = context.export("collapsed", folder).stdout.decode().splitlines()
    context.tap.empty("collapsed: every line is a stack and a number", [line for line in lines if not re.fullmatch(r"[^;]+(;[^;]+)+ \d+", line)])
    total = sum(int(line.rpartition(" ")[2]) for line in lines) / 1e6
    selves = sum(phase["self_s"] for phase in report["phases"])
    context.tap.point("collapsed: times add up to what report.json has", lines and abs(total - selves) < 1e-6 * 1000 * len(report["phases"]) + 0.01 * selves,
                      total, selves)


def overlapping(context):
    """A thread that outlasts the compile in which it began, a compiler process beside it, and two of them at once."""
    writer = Writer()
    one, two = {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}, {"frame_id": 1, "frame_compile_id": 0, "attempt": 0}
    for name, phase, id in (("dynamo", "B", one), ("compile_file", "B", {}), ("inner", "B", one), ("dynamo", "B", two), ("compile_file", "E", {}),
                            ("inner", "E", one), ("compile_file", "B", {}), ("dynamo", "E", one), ("dynamo", "E", two), ("compile_file", "E", {})):
        writer.ms += 99
        writer.event(name, phase, **id)
    folder = context.temp / "overlapping"
    folder.mkdir(exist_ok=True)
    (folder / "dedicated_log_torch_trace_a.log").write_bytes(writer.data)
    return folder


def outlasting(events):
    """Slices of a Chrome trace that outlast the one around them on their track."""
    tracks = {}
    for event in events:
        if event["ph"] == "X":
            tracks.setdefault((event["pid"], event["tid"]), []).append((event["ts"], -event["dur"], event["name"]))
    for track in tracks.values():
        open_ = []
        for begin, duration, name in sorted(track):
            while open_ and open_[-1] <= begin:
                open_.pop()
            if open_ and begin - duration > open_[-1]:
                yield name
            open_.append(begin - duration)


def timelines(context):
    return [("overlapping", overlapping(context)), *((name, context.trace(name)) for name in ("caches_cold", "ddp", "killed", "compiled_autograd"))]


def test_tracks(context):
    context.tap.equal("the check finds a slice that outlasts", ["b"], list(outlasting([
        {"ph": "X", "pid": 0, "tid": 0, "ts": 0, "dur": 5, "name": "a"}, {"ph": "X", "pid": 0, "tid": 0, "ts": 2, "dur": 5, "name": "b"}])))
    for name, folder in timelines(context):
        text = context.export("perfetto", folder).stdout.decode()
        exact = json.loads(text, parse_float=decimal.Decimal, parse_int=decimal.Decimal)["traceEvents"]
        context.tap.empty(f"perfetto: {name}: nothing outlasts what is around it on its track", list(outlasting(exact)))
        named = {(event["pid"], event["tid"]) for event in exact if event["name"] == "thread_name"}
        context.tap.empty(f"perfetto: {name}: every track has a name", {(event["pid"], event["tid"]) for event in exact if event["ph"] != "M"} - named)
    tracks = {(event["name"], event["args"].get("compile_id")): event["tid"] for event in
              json.loads(context.export("perfetto", overlapping(context)).stdout)["traceEvents"] if event["ph"] == "X"}
    context.tap.equal("perfetto: threads and work beside them are apart", 3, len(set(tracks.values())))
    context.tap.equal("perfetto: one compile stays on its track", tracks["dynamo", "0/0"], tracks["inner", "0/0"])


def test_speedscope(context):
    """What the schema of speedscope asks for: https://www.speedscope.app/file-format-schema.json."""
    for name, folder in timelines(context):
        file = json.loads(context.export("speedscope", folder).stdout)
        slices = [event for event in json.loads(context.export("perfetto", folder).stdout)["traceEvents"] if event["ph"] == "X"]
        wrong, opened = [], []
        frames = file["shared"]["frames"]
        for profile in file["profiles"]:
            at, open_ = profile["startValue"], []
            if (profile["type"], profile["unit"]) != ("evented", "nanoseconds") or not profile["name"]:
                wrong.append(profile["name"])
            for event in profile["events"]:
                if event["at"] < at or not 0 <= event["frame"] < len(frames):
                    wrong.append(event)
                at = event["at"]
                if event["type"] == "O":
                    open_.append(event["frame"])
                    opened.append(frames[event["frame"]]["name"].split(" ")[0])
                elif event["type"] != "C" or not open_ or open_.pop() != event["frame"]:
                    wrong.append(event)
            if open_ or at != profile["endValue"]:
                wrong.append(profile["name"])
        context.tap.equal(f"speedscope: {name}: the schema", ["https://www.speedscope.app/file-format-schema.json", True],
                          [file["$schema"], all(isinstance(frame["name"], str) for frame in frames)])
        context.tap.empty(f"speedscope: {name}: what opens closes, in order", wrong)
        context.tap.equal(f"speedscope: {name}: it has the slices of the timeline", sorted(event["name"].split(" ")[0] for event in slices), sorted(opened))


def test_collapsed_sums(context):
    for name, folder in timelines(context):
        report = json.loads(context.export("json", folder).stdout)
        lines = context.export("collapsed", folder).stdout.decode().splitlines()
        total, selves = sum(int(line.rpartition(" ")[2]) for line in lines), sum(phase["self_s"] for phase in report["phases"]) * 1e6
        context.tap.point(f"collapsed: {name}: microseconds add up to the time of the timeline", abs(total - selves) <= report["totals"]["processes"],
                          total, selves)
    lines = context.export("collapsed", overlapping(context)).stdout.decode()
    context.tap.point("collapsed: nothing is inside a compiler process", "dynamo;inner" in lines and "compile_file;" not in lines, lines)


def test_csv(context):
    for name in ("caches_warm", "graph_breaks"):
        folder, to = context.trace(name), context.temp / f"csv-{name}"
        done = context.export("csv", folder, options=("-o", to))
        context.tap.equal(f"csv: {name}: is written", [0, b"", b""], [done.returncode, done.stdout, done.stderr])
        report = json.loads(context.export("json", folder).stdout)
        for table in ("findings", "graph_breaks", "compiles", "errors", "caches"):
            with (to / f"{table}.csv").open(newline="") as file:
                rows = list(csv.DictReader(file))
            wrong = [(row[key], item[key]) for row, item in zip(rows, report[table]) for key in row if isinstance(item.get(key), str) and row[key] != item[key]]
            context.tap.equal(f"csv: {name}: {table} has the rows of report.json", [len(report[table]), []], [len(rows), wrong[:3]])
    heads = [[path.read_bytes().split(b"\r\n")[0] for path in sorted((context.temp / f"csv-{name}").iterdir())] for name in ("caches_warm", "graph_breaks")]
    context.tap.equal("csv: columns are the same whatever the trace holds", heads[0], heads[1])
    context.tap.equal("csv: wants a directory", 2, context.export("csv", context.trace("hello")).returncode)


def test_tables_load(context):
    """load.sql gives each member of each row a type."""
    to = context.temp / "tables"
    context.export("tables", context.trace("caches_warm"), options=("-o", f"{to}/"))
    sql = (to / "load.sql").read_text()
    views = {name: dict(re.findall(r"'(\w+)': '(\w+)'", columns)) for name, columns in
             re.findall(r"VIEW (\w+) AS .*?columns = \{(.*?)\}", sql, re.S)}
    context.tap.equal("tables: load.sql has a view of each file", {path.stem for path in to.glob("*.jsonl")}, set(views))
    kinds = {"BIGINT": (int, bool), "DOUBLE": (int, float), "VARCHAR": str, "JSON": object}
    wrong = [(path.stem, key) for path in to.glob("*.jsonl") for line in path.open() for key, value in json.loads(line).items()
             if key not in views[path.stem] or value is not None and not isinstance(value, kinds[views[path.stem][key]])]
    context.tap.empty("tables: every member has its type there", wrong)


def test_tlparse(context):
    folder, to = context.trace("hello"), context.temp / "tlparse"
    done = context.export("tlparse", folder, options=("-o", to))
    context.tap.equal("tlparse: is written", [0, b"", b""], [done.returncode, done.stdout, done.stderr])
    records = [record for path in sorted(folder.iterdir()) for record in reference.parse(reference.unpacked(path))[0]]
    directory = json.loads((to / "compile_directory.json").read_text())
    entries = [entry for compile_ in directory.values() for entry in compile_["artifacts"]]
    context.tap.point("tlparse: compile ids are in brackets", "[0/0]" in directory and "[-/-]" in directory, list(directory))
    context.tap.equal("tlparse: outputs are numbered from 0", list(range(len(entries))), sorted(entry["number"] for entry in entries))
    context.tap.empty("tlparse: entries have their keys, and lead to files",
                      [entry for entry in entries if set(entry) != {"name", "number", "readable_url", "suffix", "url"} or
                       not (to / entry["url"]).is_file() or not entry["url"].endswith(f"/{entry['name']}")])
    graphs = [entry for entry in directory["[0/0]"]["artifacts"] if entry["name"].startswith("dynamo_output_graph")]
    texts = [record.payload for record in records if "dynamo_output_graph" in record.json]
    context.tap.equal("tlparse: files are payloads as they were logged", texts, [(to / entry["url"]).read_bytes() for entry in graphs])
    marks = {entry["name"].rpartition("_")[0]: entry["suffix"] for entry in entries if "_cache_" in entry["name"]}
    context.tap.point("tlparse: caches are marked", set(marks.values()) <= {"\u274c", "\u2705", "\u2753"} and marks, marks)
    events = [event for path in sorted(folder.glob("*.gz")) for event in chromium_events(gzip.decompress(path.read_bytes()).decode())]
    context.tap.equal("tlparse: events are those of the trace", events, json.loads((to / "chromium_events.json").read_text()))
    test_tlparse_ranks(context)
    context.tap.equal("tlparse: what holds the trace as it is cannot be redacted", 2,
                      context.export("tlparse", folder, options=("-o", to, "--redact")).returncode)


def test_tlparse_ranks(context):
    to = context.temp / "tlparse-ranks"
    context.export("tlparse", context.trace("ranks_order"), options=("-o", to))
    ranks = sorted(path.name for path in to.iterdir() if path.is_dir())
    schedules = json.loads((to / "collective_schedules.json").read_text())
    context.tap.equal("tlparse: each rank has a directory", [f"rank_{rank}" for rank in sorted({entry["rank"] for entry in schedules})], ranks)
    expected = []
    for rank in ranks:
        for key, compile_ in json.loads((to / rank / "compile_directory.json").read_text()).items():
            expected += [(int(rank[5:]), "-_" + key[1:-1].replace("/", "_") + "_0", json.loads((to / rank / entry["url"]).read_text()))
                         for entry in compile_["artifacts"] if entry["name"].startswith("inductor_collective_schedule")]
    context.tap.equal("tlparse: schedules are those of the ranks", sorted(expected), sorted((entry["rank"], entry["graph"], entry["ops"]) for entry in schedules))
    context.tap.equal("tlparse: estimates are a list", [], json.loads((to / "runtime_estimations.json").read_text()))
    pids = {event["pid"] for event in json.loads((to / "chromium_events.json").read_text())}
    context.tap.equal("tlparse: events of ranks have the rank as their process", {int(rank[5:]) for rank in ranks}, pids)


def test_tlparse_hostile(context):
    """No name of a trace leads out of the directory."""
    writer = Writer()
    for number, name in enumerate(("../../out", "/tmp/out", "a/../../b", ".", "x" * 400, "")):
        writer.artifact(name, "text")
        writer.record("dump_file", {"name": name}, "code")
        writer.record("graph_dump", {"name": name}, "graph")
        writer.record("inductor_output_code", {"filename": f"{name}/../{number}.py"}, "code")
    writer.artifact("inductor_collective_schedule", "{not json", "json")
    writer.artifact("inductor_runtime_and_tensor_meta", '{"ops": [{"name": "mm", "estimated_runtime_ns": 12.5, "type": "compute"}]}', "json")
    folder, to = context.temp / "names", context.temp / "below" / "tlparse"
    folder.mkdir()
    (folder / "dedicated_log_torch_trace_a.log").write_bytes(writer.data)
    done = context.export("tlparse", folder, options=("-o", to))
    context.tap.equal("tlparse: hostile names are no paths", [0, ["tlparse"]], [done.returncode, [path.name for path in to.parent.iterdir()]])
    context.tap.equal("tlparse: estimates have names and times", [{"graph": "-_-_-_-", "rank": 0, "ops": [{"name": "mm", "estimated_runtime_ns": 12.5}]}],
                      json.loads((to / "runtime_estimations.json").read_text()))


def test_cannot_write(context):
    """The file that cannot be written is named, with the reason."""
    cases = [("csv", "hello", "findings.csv"), ("tables", "hello", "findings.jsonl"), ("tables", "hello", "load.sql"),
             *(("tlparse", "hello", name) for name in ("compile_directory.json", "chromium_events.json", "collective_schedules.json")),
             *(("tlparse", "ranks_order", f"rank_0/{name}") for name in ("compile_directory.json", "chromium_events.json"))]
    for number, (format_, trace, name) in enumerate(cases):
        to = context.temp / f"closed-{number}"
        (to / name).mkdir(parents=True)
        done = context.export(format_, context.trace(trace), options=("-o", to))
        context.tap.equal(f"{format_}: {name} cannot be written", (3, f"pt2trace: {to}/{name}: Is a directory\n"), (done.returncode, done.stderr.decode()))
    file = context.temp / "a-file"
    file.write_text("mine")
    for format_, reason in (("csv", "Not a directory"), ("tlparse", "Not a directory"), ("sqlite", "unable to open database file")):
        done = context.export(format_, context.trace("hello"), options=("-o", file / "out"))
        context.tap.equal(f"{format_}: below a file nothing can be written", (3, f"pt2trace: {file}/out: {reason}\n"), (done.returncode, done.stderr.decode()))


def test_left_behind(context):
    """In a container each run may have the same process id, so what a killed one left behind has the same name."""
    path = context.temp / "shop.sqlite"
    done = subprocess.run([context.pt2trace, "export", "--format", "sqlite", "-o", path, context.trace("hello")], capture_output=True, text=True,
                          preexec_fn=lambda: pathlib.Path(f"{path}.tmp-{os.getpid()}").write_bytes(b"till" * 2000))
    context.tap.equal("sqlite: a file that a killed process left behind is replaced", (0, ""), (done.returncode, done.stderr))


def test_sarif(context):
    folder = context.trace("errors")
    report = json.loads(context.export("json", folder).stdout)
    log = json.loads(context.export("sarif", folder).stdout)
    run_ = log["runs"][0]
    context.tap.equal("sarif: version and tool", ["2.1.0", "pt2trace"], [log["version"], run_["tool"]["driver"]["name"]])
    context.tap.equal("sarif: a result for each finding", [finding["line"] or 1 for finding in report["findings"]],
                      [result["locations"][0]["physicalLocation"].get("region", {}).get("startLine") for result in run_["results"]
                       if result["locations"]])
    rules = {rule["id"] for rule in run_["tool"]["driver"]["rules"]}
    wrong = [result for result in run_["results"] if result["ruleId"] not in rules or result["level"] not in ("error", "warning", "note") or
             not result["message"]["text"]]
    context.tap.empty("sarif: results have rules, levels and texts", wrong)
    addresses = [location["physicalLocation"]["artifactLocation"]["uri"] for result in run_["results"] for location in result["locations"]]
    context.tap.empty("sarif: addresses are relative", [address for address in addresses
                                                       if not re.fullmatch(r"(?!/)([\w./~-]|%[0-9A-F]{2})+", address, re.A)])
    texts = [rule.get(key, {}).get("text") for rule in run_["tool"]["driver"]["rules"] for key in ("shortDescription", "fullDescription", "help")]
    context.tap.point("sarif: rules have their texts", all(texts), texts)
    context.tap.empty("sarif: results have a fingerprint and the place of their rule",
                      [result for result in run_["results"] if not result["partialFingerprints"] or
                       run_["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] != result["ruleId"]])


def test_sarif_levels(context):
    levels = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note"}
    seen = set()
    for name in ("errors", "graph_breaks", "recompiles", "dynamic_shapes"):
        findings = json.loads(context.export("json", context.trace(name)).stdout)["findings"]
        results = json.loads(context.export("sarif", context.trace(name)).stdout)["runs"][0]["results"]
        context.tap.equal(f"sarif of {name}: levels follow severities", [levels[finding["severity"]] for finding in findings],
                          [result["level"] for result in results])
        seen.update(finding["severity"] for finding in findings)
    context.tap.equal("sarif: levels of each sort were seen", {"error", "warning", "note"}, {levels[severity] for severity in seen})


def junit_of(context, folder, *options):
    return xml.etree.ElementTree.fromstring(context.export("junit", folder, options=options).stdout)


def test_junit(context):
    failed = {}
    for name in ("errors", "graph_breaks", "clean_train"):
        findings = json.loads(context.export("json", context.trace(name)).stdout)["findings"]
        suites = junit_of(context, context.trace(name))
        cases = suites.findall("testsuite/testcase")
        failed[name] = sum(finding["severity"] in ("critical", "high") for finding in findings)
        context.tap.equal(f"junit of {name}: a case for each finding, critical and high fail",
                          [finding["severity"] in ("critical", "high") for finding in findings], [case.find("failure") is not None for case in cases])
        texts = [case.findtext("failure") or case.findtext("system-out") or "" for case in cases]
        context.tap.empty(f"junit of {name}: each says what its finding says",
                          [finding["title"] for finding, text in zip(findings, texts)
                           if not text.startswith(f"{finding['severity']}: {finding['title']}") or (finding["fix"] or "") not in text])
        context.tap.equal(f"junit of {name}: counts", [(str(len(findings)), str(failed[name]))] * 2,
                          [(node.get("tests"), node.get("failures")) for node in (suites, suites[0])])
        names = [(case.get("classname"), case.get("name")) for case in cases]
        context.tap.equal(f"junit of {name}: no two cases have one name", len(names), len(set(names)))
    context.tap.point("junit: runs with and without failures were seen", failed["errors"] and not failed["clean_train"], failed)
    cases = junit_of(context, context.temp / "hostile").findall("testsuite/testcase")
    findings = json.loads(context.export("json", context.temp / "hostile").stdout)["findings"]
    context.tap.equal("junit of a hostile trace is XML", len(findings), len(cases))
    folder = context.temp / "noncharacters"
    folder.mkdir()
    [source] = context.trace("errors").iterdir()
    data = gzip.decompress(source.read_bytes()) if source.suffix == ".gz" else source.read_bytes()
    (folder / source.name.removesuffix(".gz")).write_bytes(data.replace(b"this backend never works", "never \uffff \ufffe \ufffd works".encode()))
    messages = [node.get("message") for node in junit_of(context, folder).iter("failure")]
    context.tap.equal("junit: U+FFFE and U+FFFF, which XML cannot hold, are replaced", 1,
                      sum("never \ufffd \ufffd \ufffd works" in message for message in messages))


def test_hostile_formats(context):
    folder = context.temp / "hostile"
    for format in FORMATS[1:]:
        done = context.export(format, folder)
        text = done.stdout.decode("utf-8")
        lines = text.rstrip("\n").split("\n") if format in ("tables", "raw") else [] if format == "collapsed" else [text]
        context.tap.point(f"{format} of a hostile trace can be read", done.returncode == 0 and all(isinstance(json.loads(line), dict) for line in lines))


def test_files(context):
    folder, file = context.trace("hello"), context.temp / "x.out"
    for format in FORMATS:
        printed = context.export(format, folder).stdout
        done = context.export(format, folder, options=("-o", file))
        text = re.sub(rb'"command": ?\[.*?\]', b"", file.read_bytes())
        context.tap.point(f"{format}: -o writes what else is printed", (done.returncode, done.stdout) == (0, b"") and
                          text == re.sub(rb'"command": ?\[.*?\]', b"", printed))
        file.unlink()
        context.tap.point(f"{format}: the same for any number of threads",
                          context.export(format, folder, options=("-j", "1")).stdout.replace(b'"-j","1",', b"") ==
                          context.export(format, folder, options=("-j", "4")).stdout.replace(b'"-j","4",', b""))


def test_usage(context):
    folder = context.trace("hello")
    context.tap.equal("a format is wanted", 2, run(context.pt2trace, "export", folder).returncode)
    context.tap.equal("a format that is not there", 2, context.export("xml", folder).returncode)
    context.tap.equal("a file that cannot be written", 3, context.export("json", folder, options=("-o", context.temp / "no" / "x")).returncode)
    context.tap.equal("no trace", 4, context.export("json", pathlib.Path(__file__).resolve()).returncode)
    help = run(context.pt2trace, "export", "--help").stdout.decode()
    context.tap.empty("--help names all formats", [format for format in (*FORMATS, "junit", *DIRECTORY_FORMATS) if format not in help])


def main(pt2trace, testdata):
    keep(pt2trace)
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-export-") as temp:
        context = Context(tap, pathlib.Path(pt2trace).resolve(), pathlib.Path(testdata).resolve(), temp)
        for test in (test_markdown_checks, test_markdown, test_markdown_content, test_hostile, test_for_agent, test_endings, test_large, test_json, test_tables, test_perfetto, test_perfetto_times, test_raw, test_collapsed, test_tracks, test_speedscope,
                     test_collapsed_sums, test_csv, test_tables_load, test_tlparse, test_tlparse_hostile, test_cannot_write, test_left_behind,
                     test_sarif, test_sarif_levels, test_junit, test_hostile_formats, test_files,
                     test_usage):
            test(context)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
