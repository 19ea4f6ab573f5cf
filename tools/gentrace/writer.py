"""Writes one TORCH_TRACE file: prefixes, envelopes, payloads, string table and events."""

import hashlib
import json
import time

from . import words

# Where PyTorch 2.13 emits each kind of record; artifacts share the site of their helper.
SITES = {
    "artifact": "torch/_logging/_internal.py:1440",
    "str": "torch/_logging/structured.py:28",
    "chromium_event": "torch/_dynamo/utils.py:2350",
    "instant_event": "torch/_dynamo/utils.py:2389",
    "dynamo_start": "torch/_dynamo/convert_frame.py:303",
    "describe_storage": "torch/_subclasses/meta_utils.py:276",
    "describe_tensor": "torch/_subclasses/meta_utils.py:514",
    "describe_source": "torch/_subclasses/meta_utils.py:2271",
    "create_symbol": "torch/fx/experimental/symbolic_shapes.py:5754",
    "guard_added_fast": "torch/fx/experimental/symbolic_shapes.py:8058",
    "dynamo_output_graph": "torch/_dynamo/output_graph.py:2841",
    "aot_joint_graph": "torch/_functorch/_aot_autograd/graph_compile.py:1797",
    "aot_forward_graph": "torch/_functorch/_aot_autograd/graph_compile.py:1886",
    "aot_backward_graph": "torch/_functorch/_aot_autograd/graph_compile.py:1890",
    "aot_inference_graph": "torch/_functorch/_aot_autograd/graph_capture.py:444",
    "inductor_post_grad_graph": "torch/_inductor/codecache.py:2004",
    "inductor_output_code": "torch/_inductor/graph.py:2745",
    "dynamo_cpp_guards_str": "torch/_dynamo/guards.py:4552",
    "compilation_metrics": "torch/_dynamo/utils.py:2009",
    "bwd_compilation_metrics": "torch/_dynamo/utils.py:2009",
    "compilation_metrics_runtime": "torch/_dynamo/utils.py:2009",
}

FIRST_SECOND = 1_770_100_000    # a fixed date in 2026, so that a seed always gives the same bytes
ZONE_SECONDS = 2 * 3600         # prefixes are local time, events are UTC: the two must differ


class Ids:
    """The compile id of a record, as envelope text and as chromium events print it."""

    __slots__ = ("frame", "compile", "attempt", "text", "name")

    def __init__(self, frame, compile_, attempt=0):
        self.frame, self.compile, self.attempt = frame, compile_, attempt
        self.text = ', "frame_id": %d, "frame_compile_id": %d, "attempt": %d' % (
            frame, compile_, attempt)
        self.name = "%d/%d" % (frame, compile_)


class NoIds:
    """Records outside of any compile."""

    text, name = "", "None"


NO_IDS = NoIds()


class Writer:
    """One trace file of one process. `noise` is the randomness that ranks do not share."""

    def __init__(self, path, noise, pid, rank=None):
        self.noise = noise
        self.bytes = 0
        self.rank = rank
        self._rank_text = "" if rank is None else ', "rank": %d' % rank
        self._file = open(path, "wb", buffering=1 << 20)
        self._pid = pid
        self._quarters = FIRST_SECOND * 4_000_000 + noise.randrange(4_000_000)
        self._second = None
        self._stamp = ""
        self._strings = {}
        self._open_events = []
        self.durations = {}     # event name -> microseconds since they were last cleared

    def close(self):
        self._file.close()

    # --- clock ---

    def pass_time(self, microseconds):
        """Lets time go by; a float so that payloads show PyTorch's fractions of a microsecond."""
        self._quarters += max(1, int(microseconds * 4))

    @property
    def now_us(self):
        """Microseconds since the epoch, with the quarter-microsecond fraction of a real `ts`."""
        return self._quarters / 4

    def _prefix(self):
        second, rest = divmod(self._quarters // 4, 1_000_000)
        if second != self._second:
            self._second = second
            self._stamp = time.strftime("V%m%d %H:%M:%S", time.gmtime(second + ZONE_SECONDS))
        return "%s.%03d000 %d " % (self._stamp, rest // 1000, self._pid)

    # --- records ---

    def _put(self, data):
        self._file.write(data)
        self.bytes += len(data)

    def record(self, name, value, ids, payload=None, site=None):
        """One record. `value` is JSON text; records of one process are never interleaved."""
        self.pass_time(self.noise.random() * 60 + 5)
        rank = "" if name == "str" else self._rank_text
        head = '%s%s] {"%s": %s%s%s' % (
            self._prefix(), site or SITES[name], name, value, rank, ids.text)
        if payload is None:
            self._put((head + "}\n").encode())
            return
        data = payload.encode()
        self._put(('%s, "has_payload": "%s"}\n\t' % (head, hashlib.md5(data).hexdigest())).encode())
        self._put(data.replace(b"\n", b"\n\t"))
        self._put(b"\n")

    def artifact(self, name, encoding, ids, payload):
        self.record("artifact", '{"name": "%s", "encoding": "%s"}' % (name, encoding), ids, payload)

    def huge_artifact(self, name, encoding, ids, lines):
        """An artifact too big for memory: `lines()` is run twice, for the digest and the text."""
        md5 = hashlib.md5()
        separator = b""
        for line in lines():
            md5.update(separator + line)
            separator = b"\n"
        self._put(('%s%s] {"artifact": {"name": "%s", "encoding": "%s"}%s%s, "has_payload": "%s"}'
                   % (self._prefix(), SITES["artifact"], name, encoding, self._rank_text, ids.text,
                      md5.hexdigest())).encode())
        for line in lines():
            self._put(b"\n\t" + line)
        self._put(b"\n")

    def torch_version(self):
        payload = json.dumps({"pytorch_version": words.PYTORCH_VERSION,
                              "commit": words.PYTORCH_COMMIT, "oss": True}, indent=0)
        saved, self._rank_text = self._rank_text, ""
        self.record("artifact", '{"name": "torch_version", "encoding": "json"}', NO_IDS, payload,
                    site="torch/_logging/_internal.py:1328")
        self._rank_text = saved

    def intern(self, path):
        """The id of a file name; its `str` record is written before the first use."""
        known = self._strings.get(path)
        if known is None:
            known = self._strings[path] = len(self._strings)
            self.record("str", "[%s, %d]" % (json.dumps(path), known), NO_IDS)
        return known

    # --- chromium events ---

    def event(self, name, phase, ids, args, more=None, stamp=None):
        """One event. Arguments map keys to JSON text, because some values are megabytes."""
        fields = {**args, "compile_id": '"%s"' % ids.name, **(more or {})}
        text = ",\n".join('"%s": %s' % item for item in fields.items())
        instant = phase == "i"
        self.record("chromium_event", "{}", ids,
                    '{\n"name": "%s",\n"ts": %r,\n"args": {\n%s\n},\n"ph": "%s",\n'
                    '"cat": "dynamo_timed",\n"tid": 0,\n"pid": 0%s\n}'
                    % (name, stamp or self.now_us, text, phase, ',\n"s": "p"' if instant else ""),
                    site=SITES["instant_event" if instant else "chromium_event"])

    def begin(self, name, ids, **args):
        self._open_events.append((name, args, self.now_us))
        self.event(name, "B", ids, args)

    def end(self, name, ids, more=None):
        """Ends the innermost event, which must be `name`; repeats its arguments, adds `more`."""
        opened, args, since = self._open_events.pop()
        assert opened == name, "%s ended inside %s" % (name, opened)
        self.event(name, "E", ids, args, more)
        self.durations[name] = self.durations.get(name, 0) + self.now_us - since

    def span(self, name, ids, microseconds, **args):
        """An event with nothing inside."""
        self.begin(name, ids, **args)
        self.pass_time(microseconds * (0.6 + self.noise.random() * 0.8))
        self.end(name, ids)
