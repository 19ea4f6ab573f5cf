"""Writes traces as PyTorch does: for what no real trace at hand holds."""

import hashlib
import json


class Writer:
    """The records of one process. `ms` is its clock, in milliseconds since 2026-11-21T08:00 local time."""

    def __init__(self, pid=4711, rank=None, ms=0, zone_hours=0):
        self.pid, self.rank, self.ms, self.zone_hours = pid, rank, ms, zone_hours
        self.lines = []
        self.strings = {}

    @property
    def data(self):
        return b"".join(line + b"\n" for line in self.lines)

    @property
    def now_us(self):
        """Since the Unix epoch, in UTC."""
        return 1795248000_000000 - self.zone_hours * 3600_000000 + self.ms * 1000

    def record(self, kind, value, payload=None, **context):
        self.ms += 1
        s, ms = divmod(self.ms, 1000)
        h, s = divmod(s, 3600)
        envelope = {kind: value} if kind else {}
        if self.rank is not None:
            envelope["rank"] = self.rank
        envelope.update(context)
        if payload is not None:
            payload = payload.encode() if isinstance(payload, str) else payload
            envelope["has_payload"] = hashlib.md5(payload).hexdigest()
        prefix = f"V1121 {8 + h:02}:{s // 60:02}:{s % 60:02}.{ms:03}000 {self.pid} torch/x.py:1] "
        self.lines.append(prefix.encode() + json.dumps(envelope).encode())
        if payload is not None:
            self.lines += [b"\t" + line for line in payload.split(b"\n")]

    def artifact(self, name, payload, encoding="string", **context):
        self.record("artifact", {"name": name, "encoding": encoding}, payload, **context)

    def file(self, name):
        """The index of a file name, written to the string table when it is new."""
        if name not in self.strings:
            self.strings[name] = len(self.strings)
            self.record("str", [name, self.strings[name]])
        return self.strings[name]

    def frame(self, line, name, file="/x/model.py", loc=None):
        call = {"line": line, "name": name, "filename": self.file(file)}
        return {**call, "loc": loc} if loc else call

    def start(self, function, line, file="/x/model.py", **id):
        stack = [self.frame(1, "<module>", file, "main()"), self.frame(line, function, file)]
        self.record("dynamo_start", {"stack": stack}, **id)

    def event(self, name, phase, **id):
        compile_ = f"{id['frame_id']}/{id['frame_compile_id']}" if id else "None"
        event = {"name": name, "ts": float(self.now_us), "args": {"compile_id": compile_}, "ph": phase, "cat": "dynamo_timed",
                 "tid": 0, "pid": 0}
        self.record("chromium_event", {}, json.dumps(event, indent=0), **id)

    def metrics(self, kind="compilation_metrics", seconds=0.5, id=None, **fields):
        duration = int(seconds * 1e6)
        metrics = {"start_time_us": self.now_us - duration, "duration_us": duration, "end_time_us": self.now_us,
                   "pytorch_version": "2.13.0", "python_version": "3.11.7", "fail_type": None, **fields}
        self.record(kind, metrics, **(id or {}))

    def compile(self, frame=0, number=0, attempt=0, function="f", line=3, ops=2, **fields):
        """One whole compile that works."""
        id = {"frame_id": frame, "frame_compile_id": number, "attempt": attempt}
        self.event("dynamo", "B", **id)
        self.start(function, line, **id)
        if ops:
            self.record("dynamo_output_graph", {"sizes": {"l_x_": [2, 3]}}, "class GraphModule:\n    pass\n", **id)
        self.ms += 100
        self.record("dynamo_cpp_guards_str", {}, "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n", **id)
        self.event("dynamo", "E", **id)
        self.metrics(seconds=0.1, id=id, graph_op_count=ops, guard_count=3, **fields)
        return id
