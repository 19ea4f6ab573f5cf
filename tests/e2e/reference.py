"""A second reader of TORCH_TRACE, as plain as can be: the format as it is documented (docs: torch/_logging/_internal.py), no
repair, everything in memory. The tests compare pt2trace with it; it shares nothing with it but the format."""

import gzip
import hashlib
import json
import pathlib
import re
from collections import Counter, defaultdict

HEADER = re.compile(rb"([VDIWEC])(\d{4}) (\d\d:\d\d:\d\d\.\d{6}) (\d+) (.*?):(\d+)\] (\{.*)", re.DOTALL)
CONTEXT = {"rank", "stack", "compiled_autograd_id", "frame_id", "frame_compile_id", "attempt", "subgraph_name", "has_payload"}


class Record:
    def __init__(self, number, pid, text):
        self.number = number  # of its line, from 1
        self.pid = pid
        self.text = text
        self.lines = []       # of the payload, without their tabs
        self.json = None
        self.kind = self.name = None

    def finish(self):
        try:
            self.json = json.loads(self.text)
        except ValueError:
            return
        self.kind = next((key for key in self.json if key not in CONTEXT), None)
        value = self.json.get(self.kind)
        if self.kind in ("artifact", "graph_dump") and isinstance(value, dict):
            self.name = value.get("name")

    @property
    def payload(self):
        """The bytes, or None."""
        return b"\n".join(self.lines) if self.lines else None

    @property
    def digest(self):
        return hashlib.md5(self.payload).hexdigest()

    @property
    def announced(self):
        return self.json.get("has_payload") if self.json else None

    @property
    def id(self):
        """As PyTorch prints it: N/M, !A/N/M, !A; None without."""
        if self.json is None:
            return None
        autograd, frame, compile_ = (self.json.get(key) for key in ("compiled_autograd_id", "frame_id", "frame_compile_id"))
        if autograd is None and (frame is None or compile_ is None):
            return None
        parts = [f"!{autograd}"] if autograd is not None else []
        return "/".join(parts + ([str(frame), str(compile_)] if frame is not None else []))


def unpacked(path):
    data = pathlib.Path(path).read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def parse(data):
    """(records, lines that are neither) of the text of one file."""
    records, strange = [], 0
    lines = data.split(b"\n")
    if lines and lines[-1] == b"":
        lines.pop()
    for number, line in enumerate(lines, 1):
        if line.startswith(b"\t") and records:
            records[-1].lines.append(line[1:])
            continue
        header = HEADER.fullmatch(line)
        if header:
            records.append(Record(number, int(header[4]), header[7]))
        else:
            strange += 1
    for record in records:
        record.finish()
    return records, strange


def read(path):
    return parse(unpacked(path))


def totals(records):
    """What report.json calls totals, as far as counting lines gives them."""
    payloads = [record for record in records if record.lines]
    return {
        "records": len(records),
        "payloads": len(payloads),
        "payload_bytes": sum(len(record.payload) for record in payloads),
        "bad_payloads": sum(record.announced is not None and record.digest != record.announced for record in payloads),
        "strings": sum(record.kind == "str" for record in records),
        "chromium_events": sum(record.kind == "chromium_event" for record in records),
    }


def kinds(records):
    """{kind, or kind:name: count} of the records that are JSON."""
    return Counter(f"{record.kind}:{record.name}" if record.name else record.kind for record in records if record.json)


class Compile:
    def __init__(self, pid, epoch, id):
        self.pid, self.epoch, self.id = pid, epoch, id
        self.started = self.attempted = self.ended = False
        self.attempts = 1
        self.records = []

    def named(self, name):
        return [record for record in self.records if name in (record.kind, record.name)]

    @property
    def metrics(self):
        found = self.named("compilation_metrics")
        return found[-1].json["compilation_metrics"] if found else None


def begun_by(record):
    """How a record says that its compile begins: the timeline's outermost event, which comes before dynamo_start; so do, in
    PyTorch 2.5, the recompile reasons. The event of the first attempt is all that torch.export has."""
    if record.name == "recompile_reasons":
        return "event"
    if record.kind == "dynamo_start":
        return None if record.json.get("attempt") else "record"
    if record.kind != "chromium_event" or not record.lines:
        return None
    try:
        event = json.loads(record.payload)
    except ValueError:
        return None
    if event.get("ph") != "B":
        return None
    return {"dynamo": "event", "compiled_autograd": "event", "compile_attempt_0": "attempt"}.get(event.get("name"))


def is_end_of_capture(record):
    if record.kind != "chromium_event" or not record.lines or "/" in record.id:
        return False
    event = json.loads(record.payload)
    return event.get("ph") == "E" and event.get("name") == "compiled_autograd"


def compiles(records):
    """{(pid, epoch, id): Compile}. An id that is started again after it was started or ended begins an epoch: PyTorch
    numbers the compiles of a frame upwards and starts again only at torch._dynamo.reset()."""
    found, epochs = {}, defaultdict(int)
    for record in records:
        if record.json is None or record.kind == "str" or record.id is None:
            continue
        pid, id = record.pid if record.pid < 1 << 32 else 0, record.id
        known = found.get((pid, epochs[pid], id))
        start = begun_by(record)
        again = known and ((start == "record" and known.started) or (start == "attempt" and known.attempted))
        if again or (known and known.ended and start):
            epochs[pid] += 1
            known = None
        if known is None and not start:
            known = next((found[pid, epoch, id] for epoch in range(epochs[pid] - 1, -1, -1) if (pid, epoch, id) in found), None)
        if known is None:
            known = found[pid, epochs[pid], id] = Compile(pid, epochs[pid], id)
        known.started |= start == "record"
        known.attempted |= start == "attempt"
        known.ended |= is_end_of_capture(record) or record.kind in ("compilation_metrics", "dynamo_cpp_guards_str", "dynamo_guards")
        known.attempts = max(known.attempts, record.json.get("attempt", 0) + 1)
        known.records.append(record)
    return found
