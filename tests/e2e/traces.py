"""Writes traces record by record, right and wrong ones: for the tests of this directory and for make.py of cases."""

import hashlib
import json

PREFIX = "V1121 07:52:%02d.%03d000 %d torch/_dynamo/x.py:1] "


class Trace:
    """The bytes of one trace file. Context (frame, compile, attempt, rank) stays until it is changed."""

    def __init__(self, pid=9102, frame=None, compile=None, attempt=None, rank=None):
        self.pid, self.rank = pid, rank
        self.frame, self.compile, self.attempt = frame, compile, attempt
        self.parts = []
        self.ms = 0

    def at(self, frame, compile=0, attempt=0):
        self.frame, self.compile, self.attempt = frame, compile, attempt
        return self

    def nowhere(self):
        return self.at(None, None, None)

    def raw(self, data):
        self.parts.append(data if isinstance(data, bytes) else data.encode())
        return self

    def prefix(self):
        self.ms += 1
        return PREFIX % (self.ms // 1000 % 60, self.ms % 1000, self.pid)

    def envelope(self, kind, value, **more):
        e = {kind: value}
        for key, v in (("rank", self.rank), ("frame_id", self.frame), ("frame_compile_id", self.compile),
                       ("attempt", self.attempt)):
            if v is not None:
                e[key] = v
        e.update(more)
        return e

    def record(self, kind, value, payload=None, md5=None, **more):
        e = self.envelope(kind, value, **more)
        if payload is None:
            return self.raw(self.prefix() + json.dumps(e) + "\n")
        data = payload if isinstance(payload, bytes) else payload.encode()
        e["has_payload"] = md5 or hashlib.md5(data).hexdigest()
        return self.raw((self.prefix() + json.dumps(e) + "\n\t").encode() + data.replace(b"\n", b"\n\t") + b"\n")

    def artifact(self, name, payload="x", encoding="string", **more):
        return self.record("artifact", {"name": name, "encoding": encoding}, payload, **more)

    def string(self, text, number):
        saved = self.frame, self.compile, self.attempt
        self.nowhere().record("str", [text, number])
        self.frame, self.compile, self.attempt = saved
        return self

    def start(self, frames=((0, 1, "f"),)):
        return self.record("dynamo_start", {"stack": [{"filename": f, "line": l, "name": n} for f, l, n in frames]})

    def event(self, name, phase, ts, **args):
        return self.record("chromium_event", {}, json.dumps(
            {"name": name, "ts": ts, "args": args, "ph": phase, "cat": "dynamo_timed", "tid": 0, "pid": 0}, indent=0))

    def metrics(self, **fields):
        return self.record("compilation_metrics", fields)

    def bytes(self):
        return b"".join(self.parts)

    def write(self, path):
        with open(path, "wb") as f:
            for part in self.parts:
                f.write(part)
        return path
