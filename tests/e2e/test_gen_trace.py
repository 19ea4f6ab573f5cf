#!/usr/bin/env python3
"""Checks what tools/gen-trace writes, with a reader that shares no code with it. Prints TAP."""

import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "gen-trace")
SHAPES = ("train", "graphs-broken", "stacks", "one-id", "records", "events", "payload")
SIZE = 2_000_000

HEADER = re.compile(r"V(\d{4}) (\d\d):(\d\d):(\d\d)\.(\d{6}) (\d+) ([^:]+):(\d+)\] (\{.*\})$")
CONTEXT = {"rank", "frame_id", "frame_compile_id", "attempt", "has_payload"}
METRICS = {"compilation_metrics", "bwd_compilation_metrics", "compilation_metrics_runtime"}

# Texts that PyTorch itself writes again and again: constants, and graphs that a pass left alone.
REPEATED = {"torch._functorch.config", "runtime_wrapper_orchestration", "backward_prologue",
            "backward_epilogue", "compiled_function_forward", "compiled_function_backward",
            "compiled_fn_wrapper", "torch_version", "aot_forward_graph_fw_metadata",
            "after_pre_grad_graph", "after_joint_graph", "before_post_grad_graph",
            "inductor_post_grad_graph"}

Record = collections.namedtuple("Record", "kind name value envelope seconds payload md5")


def reject(constant):
    raise ValueError("not JSON: " + constant)


def strict(text):
    return json.loads(text, parse_constant=reject)


def read(path):
    """Yields the records of a file; raises ValueError where it is not a trace."""
    header, lines = None, []
    with open(path, encoding="ascii", newline="\n") as file:
        for line in file:
            if line.startswith("\t"):
                lines.append(line[1:].rstrip("\n"))
                continue
            if header:
                yield record(header, lines)
            header, lines = HEADER.match(line), []
            if not header:
                raise ValueError("no header: %r" % line[:80])
    yield record(header, lines)


def record(header, lines):
    envelope = strict(header[9])
    kinds = [key for key in envelope if key not in CONTEXT]
    if len(kinds) != 1:
        raise ValueError("%d kinds in %r" % (len(kinds), header[0][:80]))
    value = envelope[kinds[0]]
    name = value["name"] if kinds[0] == "artifact" else kinds[0]
    seconds = int(header[2]) * 3600 + int(header[3]) * 60 + int(header[4]) + int(header[5]) / 1e6
    payload = "\n".join(lines) if lines else None
    return Record(kinds[0], name, value, envelope, seconds, payload, envelope.get("has_payload"))


class Tap:
    """Counts checks, prints TAP, and says where a check failed."""

    def __init__(self):
        self.number = 0
        self.failed = False

    def check(self, name, problems):
        """`problems` is a list of texts: empty when the check passed."""
        self.number += 1
        self.failed = self.failed or bool(problems)
        print("%s %d - %s" % ("not ok" if problems else "ok", self.number, name))
        for problem in problems[:5]:
            print("# " + problem)

    def done(self):
        print("1..%d" % self.number)
        return 1 if self.failed else 0


def generate(output, *options):
    subprocess.run([sys.executable, TOOL, *options, "-o", output], check=True)


# --- one check per property; each takes the records and returns what is wrong ---

def digests(records):
    return ["%s: md5 differs" % r.name for r in records
            if (r.payload is None) != (r.md5 is None)
            or (r.payload is not None and hashlib.md5(r.payload.encode()).hexdigest() != r.md5)]


def json_payloads(records):
    """Payloads that claim to be JSON are; one bare recompile reason is PyTorch's own exception."""
    problems = []
    for r in records:
        if r.kind == "chromium_event" or (r.kind == "artifact" and r.value["encoding"] == "json"):
            if r.payload is None or (r.name == "recompile_reasons" and r.payload[0] != "["):
                continue
            try:
                strict(r.payload)
            except ValueError as error:
                problems.append("%s: %s" % (r.name, error))
    return problems


def string_ids(records):
    """Every file name is interned before it is used, and ids count from 0."""
    problems, known = [], 0
    for r in records:
        if r.kind == "str":
            if r.value[1] != known:
                problems.append("id %s comes after %d strings" % (r.value[1], known))
            known += 1
        elif isinstance(r.value, dict):
            for key in ("stack", "user_stack"):
                problems += ["%s uses unknown string %s" % (r.kind, frame["filename"])
                             for frame in r.value.get(key, ())
                             if not 0 <= frame["filename"] < known]
    return problems


def events(records):
    """Begins and ends match like brackets, times never run backwards and agree with prefixes."""
    problems, stack, last, offsets = [], [], 0, set()
    for r in records:
        if r.kind != "chromium_event":
            continue
        event = strict(r.payload)
        if event["ph"] == "i":
            continue
        if event["ts"] < last:
            problems.append("%s at %s is before %s" % (event["name"], event["ts"], last))
        last = event["ts"]
        offsets.add(round((r.seconds - event["ts"] / 1e6) % 86400 / 60))
        if event["ph"] == "B":
            stack.append(event["name"])
        elif not stack or stack.pop() != event["name"]:
            problems.append("end of %s does not match its begin" % event["name"])
    if stack:
        problems.append("never ended: %s" % stack)
    if len(offsets) > 1:
        problems.append("prefixes and events disagree on the time zone: %s" % offsets)
    return problems


def distinct(records):
    seen = collections.Counter(r.md5 for r in records
                               if r.payload is not None and r.name not in REPEATED)
    names = {r.md5: r.name for r in records if r.name not in REPEATED}
    return ["%s: %d times the same payload" % (names[md5], count)
            for md5, count in seen.items() if count > 1]


def compile_order(records):
    """A frame's compiles count from 0; metrics belong to a compile that was started."""
    problems, started = [], collections.Counter()
    for r in records:
        ids = (r.envelope.get("frame_id"), r.envelope.get("frame_compile_id"))
        if r.kind == "dynamo_start":
            if ids[1] != started[ids[0]]:
                problems.append("[%s/%s] is out of order" % ids)
            started[ids[0]] += 1
        elif r.kind in METRICS:
            if ids[1] >= started[ids[0]] or r.value["compile_id"] != "%s/%s" % ids:
                problems.append("metrics of [%s/%s] do not fit" % ids)
    return problems


def metrics_complete(records):
    """All 99 fields, with configurations that are JSON inside of JSON."""
    problems = []
    for r in records:
        if r.kind in METRICS:
            if len(r.value) != 99:
                problems.append("%s has %d fields" % (r.kind, len(r.value)))
            for key in ("dynamo_config", "inductor_config", "functorch_config", "compiler_config"):
                if not isinstance(strict(r.value[key]), dict):
                    problems.append("%s of %s is no dictionary" % (key, r.kind))
    return problems


DEFINES = re.compile(r"        ([A-Za-z_]\w*)(?::| =)")     # an input or a statement of a graph


def graphs_consistent(records):
    """In every graph of AOTAutograd a name is defined before it is freed, and freed once."""
    problems = []
    for r in records:
        if not r.kind.startswith("aot_"):
            continue
        alive = set()
        for line in r.payload.split("\n"):
            defines = DEFINES.match(line)
            if defines:
                alive.add(defines[1])
                freed = line.partition(";  ")[2]
                for name in freed.replace(" = None", "").split(" = ") if freed else ():
                    if name not in alive:
                        problems.append("%s frees %s, which it does not have" % (r.kind, name))
                    alive.discard(name)
    return problems


CHECKS = (("payload digests", digests), ("JSON payloads", json_payloads),
          ("string ids", string_ids), ("events", events), ("distinct payloads", distinct),
          ("compile ids", compile_order))
PROGRAM_CHECKS = (("99 metrics fields", metrics_complete), ("graphs", graphs_consistent))


def content(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def check_shape(tap, directory, shape):
    first, again, other = (os.path.join(directory, name) for name in ("a.log", "b.log", "c.log"))
    for path, seed in ((first, "7"), (again, "7"), (other, "8")):
        generate(path, "--shape", shape, "--size", str(SIZE), "--seed", seed)
    size = os.path.getsize(first)
    tap.check(shape + ": size", [] if abs(size - SIZE) < SIZE * 0.15 else ["%d bytes" % size])
    tap.check(shape + ": a seed gives the same bytes",
              [] if content(first) == content(again) else ["files differ"])
    tap.check(shape + ": seeds differ",
              [] if content(first) != content(other) else ["files are equal"])
    records = list(read(first))
    program = shape in ("train", "graphs-broken")
    for name, check in CHECKS + (PROGRAM_CHECKS if program else ()):
        tap.check("%s: %s" % (shape, name), check(records))


def check_ranks(tap, directory):
    """Ranks get PyTorch's file names, their rank in every record, and the same program."""
    output, problems, programs = os.path.join(directory, "ranks"), [], set()
    generate(output, "--ranks", "3", "--size", str(2 * SIZE))
    names = sorted(os.listdir(output))
    for rank, name in enumerate(names):
        if not re.fullmatch(r"dedicated_log_torch_trace_rank_%d_[a-z0-9_]{8}\.log" % rank, name):
            problems.append("name of a file: " + name)
        program = []
        for r in read(os.path.join(output, name)):
            if r.kind != "str" and r.name != "torch_version" and r.envelope.get("rank") != rank:
                problems.append("%s without rank %d" % (r.name, rank))
            if r.kind in ("dynamo_start", "aot_forward_graph", "inductor_output_code"):
                program.append((r.kind, r.envelope["frame_id"], r.envelope["frame_compile_id"],
                                r.md5))
        programs.add(tuple(program))
    if len(names) != 3:
        problems.append("%d files" % len(names))
    if len(programs) != 1:
        problems.append("ranks compiled different programs")
    tap.check("ranks", problems)


def check_counts(tap, directory):
    """--count gives exactly so many compiles."""
    path = os.path.join(directory, "counted.log")
    generate(path, "--shape", "stacks", "--count", "25")
    starts = [r for r in read(path) if r.kind == "dynamo_start"]
    tap.check("counted stacks", [] if len(starts) == 25 and all(
        len(r.value["stack"]) == 100 for r in starts) else ["%d starts" % len(starts)])
    generate(path, "--shape", "one-id", "--count", "40")
    ids = collections.Counter((r.envelope["frame_id"], r.envelope["frame_compile_id"])
                              for r in read(path) if r.kind == "compilation_metrics")
    tap.check("counted metrics under one id", [] if ids == {(0, 0): 40} else [str(ids)])


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as directory:
        for shape in SHAPES:
            check_shape(tap, directory, shape)
        check_ranks(tap, directory)
        check_counts(tap, directory)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
