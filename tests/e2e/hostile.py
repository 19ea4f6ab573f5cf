"""A trace in which every text that a report can show tries to break out of the page: for test_browser.py.

Each text has a number of its own. It stands in what the text would do if it ran, so that the page shows which one did;
and the test knows by it whether the page shows the text at all."""

import json
import random

from writer import Writer

RIGHT_TO_LEFT = "\u202e\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd "
SHAPES = {  # @ is the number; the first has no blank, so that it fits where a text ends at one
    "all at once": "</title></style></textarea></script><script>window.pwned=@</script>"
                   "\"'><img/src=x/onerror=window.pwned=@>{{@}}{{{@}}}&lt;-->",
    "script": "<script>window.pwned=@</script>",
    "attribute": "\"><img src=x onerror=window.pwned=@>",
    "apostrophe": "' autofocus tabindex=1 onfocus=window.pwned=@ x='",
    "end of script": "</script><script>window.pwned=@</script>",
    "comment": "--><svg onload=window.pwned=@><!--",
    "mustache": "{{title}}{{#any}}@{{/any}}{{>stack}}",
    "unescaped mustache": "{{{css}}}{{&js}}@",
    "address": "javascript:window.pwned=@",
    "end tags": "</code></textarea></title></pre></details></main>@",
    "references": "&lt;script&gt;window.pwned=@&lt;/script&gt;&#60;b&#x3c;&nbsp",
    "separators": "\u2028window.pwned=@\u2029\u0085</script\u2028>",
    "right to left": RIGHT_TO_LEFT * 6 + "@\u2066",
    "terminal": "\u009b31m@\u061c\u200e\U000e0041",
    "long": "W" * 200 + "@",
}
# A mark of byte order, and what is no UTF-8.
BYTES = b"\xef\xbb\xbf<b>\xff\xfe\x80</b>\r\n\xf0\x9f\x98\x80\xed\xa0\x80\tend \xc3"
CHARACTERS = {"blank": " ", "apostrophe": "'", "quote": '"', "slash": "/", "colon": ":"}


class Text:
    def __init__(self, field, shape, how, text):
        self.field, self.shape, self.how, self.text = field, shape, how, text

    @property
    def shown(self):
        """What the page shows of it: of a "begin" that much at least."""
        return self.text[:40] if self.how == "begin" else self.text

    @property
    def where(self):
        return "text" if self.how == "begin" else self.how


class Texts:
    """Makes the texts of one shape and remembers how the page must show them: as "text", of it the "begin" alone, in a
    "title", as "href", or not at all: "none"."""

    def __init__(self):
        self.all = {}
        self.shape = next(iter(SHAPES))

    def __call__(self, field, how="text", **replaced):
        """`replaced`: names of characters that this field cannot hold, and what stands in their place."""
        number = 1000000 + len(self.all)
        text = SHAPES[self.shape].replace("@", str(number))
        for name, other in replaced.items():
            text = text.replace(CHARACTERS[name], other)
        self.all[number] = Text(field, self.shape, how, text)
        return text

    def path(self, field):
        """A file's path, of which the page shows the last part, and all of it when it is pointed at."""
        return "/x/" + self(field, "title")


class HostileWriter(Writer):
    """Writes the records of one process, with texts of one shape."""

    def __init__(self, texts, number):
        super().__init__(pid=100 + number, rank=number)
        self.texts = texts

    def call(self, what, function="none"):
        """A stack whose innermost call is all texts; the page shows its function only where it shows the stack."""
        t = self.texts
        inner = self.frame(7, t(f"function of {what}", function), t.path(f"file of {what}"), t(f"line of {what}"))
        return [self.frame(1, "<module>", "/x/main.py", "main()"), inner]

    def python_stack(self, what, shown=True):
        t, how = self.texts, "text" if shown else "none"
        file = "/x/" + t(f"file of {what}", "title" if shown else "none")
        return f'  File "{file}", line 9, in {t(f"function of {what}", how)}\n    {t(f"line of {what}", how)}\n'

    def id(self, frame, number=0):
        return {"frame_id": frame, "frame_compile_id": number, "attempt": 0}

    def begin(self, frame, number=0):
        id = self.id(frame, number)
        self.event("dynamo", "B", **id)
        self.record("dynamo_start", {"stack": self.call("a compile", "text")}, **id)
        return id

    def end(self, id, **fields):
        self.ms += 200
        self.event("dynamo", "E", **id)
        self.metrics(seconds=0.2, id=id, graph_op_count=2, guard_count=2, **fields)

    # --- one compile of every kind

    def working(self):
        t, id = self.texts, self.begin(0)
        name = t("event")
        self.event(name, "B", **id)
        self.ms += 100
        self.event(name, "E", **id)
        self.event(t("event without a beginning"), "E", **id)
        self.record("dynamo_output_graph", {"sizes": {t("input", "none"): [1]}}, t("graph", "none"), **id)
        self.shapes(id)
        self.tensors(id)
        self.code(id)
        self.caches(id)
        self.artifacts(id)
        self.guards(id)
        self.end(id, restart_reasons=[t("restart reason")], **self.metric_texts(), **self.configs("first"))

    def metric_texts(self):
        t = self.texts
        return {t("name of a metric"): t("value of a metric"),
                "a list": [t("entry of a metric"), t("second entry of a metric")],
                "graph_input_count": t("text where a number belongs"),
                "an object": {"key": t("value in an object", quote="`", apostrophe="`")},
                "cuda_version": t("CUDA version"), "triton_version": t("Triton version"),
                "pytorch_version": t("PyTorch version"), "python_version": t("Python version"),
                "compile_id": t("compile id of metrics"), "co_filename": t("file of metrics"),
                "co_name": t("function of metrics")}

    def configs(self, which):
        t = self.texts
        how = "none" if which == "first" and self.rank else "text"  # all values are shown of one compile alone
        value = {"a": t(f"value of the {which} configuration", how, quote="`"),
                 t(f"name in the {which} configuration", how): 1}
        return {"dynamo_config": json.dumps(value, ensure_ascii=False)}

    def shapes(self, id):
        t = self.texts
        self.record("create_symbol", {"symbol": t("symbol"), "val": t("hint of a symbol"), "vr": t("range of a symbol"),
                                      "source": t("source of a symbol"), "user_stack": self.call("a symbol")}, **id)
        unbacked = {"symbol": t("unbacked symbol"), "vr": t("range of an unbacked symbol")}
        self.record("create_unbacked_symbol", unbacked, **id)
        self.record("symbolic_shape_specialization", {
            "symbol": t("specialized symbol"), "sources": [t("source of a specialization")],
            "value": t("value of a specialization"), "reason": t("reason of a specialization"),
            "user_stack": self.call("a specialization")}, **id)
        self.record("guard_added", {"expr": t("size guard"), "prefix": t("prefix of a size guard"),
                                    "user_stack": self.call("a size guard")}, **id)
        self.exported(id)

    def exported(self, id):
        t = self.texts
        self.record("missing_fake_kernel", {"op": t("operator without a fake kernel")}, **id)
        mismatch = {"op": t("operator that differs"), "reason": t("reason of a mismatch")}
        self.record("mismatched_fake_kernel", mismatch, **id)
        error = {"expr": t("data-dependent expression"), "user_stack": self.call("an export finding")}
        self.record("guard_on_data_dependent_error", error, **id)
        propagated = {"expr": t("propagated expression"), "result": t("propagated result")}
        self.record("propagate_real_tensors", propagated, **id)

    def tensors(self, id):
        t = self.texts
        self.record("describe_tensor", {"id": 0, "describer_id": 0, "dtype": t("dtype"), "device": t("device"),
                                        "size": [t("size")], "stride": [t("stride")], "is_parameter": True}, **id)
        self.record("describe_source", {"describer_id": 0, "id": 0, "source": t("source of a tensor")}, **id)
        tensor = {"id": 1, "describer_id": 0, "dtype": "torch." + t("dtype of torch"),
                  "device": f"device(type='{t('type of a device', apostrophe='`')}', index=1)"}
        self.record("describe_tensor", tensor, **id)
        self.record("describe_source", {"describer_id": 0, "id": 1, "source": "L['y']"}, **id)

    def code(self, id):
        t = self.texts
        self.record("inductor_output_code", {"filename": t("file of output code")},
                    f"{t('kernel in output code', blank='/')} = async_compile.triton('''\n''')\n", **id)
        nodes = {"pyCodeToPost": {t("kernel in a map"): [t("node in a map")]}}
        self.artifact("inductor_provenance_tracking_node_mappings", json.dumps(nodes), "json", **id)
        stacks = {t("kernel with a stack"): [f'File "{t.path("file of a kernel")}", line 3, in f\n    x\n']}
        self.artifact("inductor_provenance_tracking_kernel_stack_traces", json.dumps(stacks), "json", **id)

    def settings(self, id):
        """Of a compile without cached code: the variables of such code are those of another process."""
        t = self.texts
        setting, variable = t("setting", blank="/", apostrophe="`"), t("variable", apostrophe="`")
        self.artifact("fx_graph_runnable", f"torch._inductor.config.{setting} = {t('value of a setting')}\n"
                      f"os.environ['{variable}'] = {t('value of a variable')}\n", **id)

    def caches(self, id):
        t = self.texts
        for name in ("fx_graph_cache_miss", "fx_graph_cache_hit", "aotautograd_cache_bypass", "dynamo_cache_bypass"):
            entry = {"key": t(f"key of {name}"), "cache_bypass_reason": t(f"reason of {name}")}
            self.artifact(name, json.dumps(entry), "json", **id)
        self.artifact("fx_graph_cache_hash", t("payload that is no JSON", "none"), "json", **id)

    def artifacts(self, id):
        t = self.texts
        self.artifact(t("artifact"), t("payload of an artifact", "none"), t("encoding", "none"), **id)
        self.artifact("bytes", BYTES + t("payload with bytes", "none").encode(), **id)
        value = {"x": t("value of an unknown kind", "none")}
        self.record(t("unknown kind"), value, t("payload of an unknown kind", "none"), **id)
        self.record(t("kind with a wrong value", "none"), 5, **id)
        self.record("dump_file", {"name": t("dumped file")}, t("payload of a dumped file", "none"), **id)
        self.record("graph_dump", {"name": t("dumped graph")}, "graph", **id)
        self.record("optimize_ddp_split_child", {"name": t("part of a split")}, "graph", **id)
        self.links(id)

    def links(self, id):
        t, site = self.texts, "https://example.org/"
        self.record("link", {"name": t("name of a link"), "url": site + t("address of a link", "href")}, **id)
        self.record("link", {"name": t("name of an unsafe link"), "url": t("address of an unsafe link")}, **id)
        self.record("link", {"name": "", "url": t("address of a link without a name")}, **id)

    def guards(self, id):
        t = self.texts
        place = f"  # {t('line of a guard')}  # {t.path('file of a guard')}:3 in f"
        guard = t("guard in a tree", quote="`", apostrophe="`") + place
        manager = f"source={t('source of a guard')}, accessed_by=x, type={t('type of a guard')}"
        self.record("dynamo_cpp_guards_str", {}, "\n".join((
            "", "TREE_GUARD_MANAGER:", "+- RootGuardManager",
            f"| +- {t('kind of a guard', blank='/', colon='/')}: {guard}",
            f"| +- GuardManager: {manager}, tag_safe=(False, False)",
            f"| | +- ID_MATCH: {t('guard below a manager')}", "")), **id)

    def recompiled(self):
        t, id = self.texts, self.begin(0, 1)
        code = t("guard of a recompile", quote="`", apostrophe="`")
        where = f"  # {t('line of a recompile')}  # {t.path('file of a recompile')}:3 in f"
        size = "size mismatch at index 0. expected 1, actual 2"
        reasons = [f"0/0: {code}{where}", f"0/0: tensor '{t('tensor that differs', 'begin')}' {size}"]
        self.artifact("recompile_reasons", json.dumps(reasons), "json", **id)
        self.record("dynamo_guards", {}, json.dumps([{"code": t("guard in a list", quote="`", apostrophe="`")}]), **id)
        self.end(id, **self.configs("second"))
        id = self.begin(0, 2)
        source = t("source that grows", "begin", quote="`", apostrophe="`")
        self.artifact("recompile_reasons", f"0/1: tensor '{source}' {size}", "json", **id)
        self.end(id)

    def resumed(self):
        id, function = self.id(5), f"torch_dynamo_resume_in_{self.texts('resumed function')}_at_9"
        self.record("dynamo_start", {"stack": [self.frame(9, function, "/x/main.py")]}, **id)
        self.end(id)

    def broken(self):
        t, id = self.texts, self.begin(1)
        self.settings(id)
        self.artifact("dynamo_graph_break_reason", f"""Graph break in user code at {t.path("file of a break")}:9
Graph Break Reason: {t("type of a break")}
  Explanation: {t("explanation of a break")}
  Hint: {t("hint of a break")}
  Hint: {t("second hint of a break")}

  Developer debug context: {t("context of a break")}

 For more details about this graph break, please visit: https://example.org/{t("address of a break", "href", blank="/")}

User code traceback:
{self.python_stack("a break")}""", **id)
        self.artifact("dynamo_graph_break_reason", f"""Graph break in user code at /x/other.py:10
Graph Break Reason: {t("type of another break")}
{t("rest of another break")}
 For more details about this graph break, please visit: {t("address that is none", "none")}
""", **id)
        self.end(id)

    def failing(self):
        t, id = self.texts, self.begin(2)
        self.artifact("dynamo_error", "Traceback (most recent call last):\n" + self.python_stack("an error", False) +
                      f"ValueError: {t('message of an error')}\n{t('rest of an error')}\n\nfrom user code:\n" +
                      self.python_stack("user code of an error"), **id)
        self.end(id, fail_type="ValueError", fail_reason=t("reason of a failure"))
        id = self.begin(3)
        self.metrics("bwd_compilation_metrics", id=id, fail_type=t("type of a failure"),
                     fail_reason=t("reason of a backward failure"),
                     fail_user_frame_filename=t.path("file of a failure"), fail_user_frame_lineno=4)
        self.end(id)

    def without_start(self):
        t = self.texts
        call = f"Line: 5, Name: {t('function in metrics')}, Filename: {t.path('file in metrics')}"
        self.metrics(id=self.id(4), stack_trace=[call], fail_type="Unsupported",
                     fail_reason="Dynamo recompile limit exceeded")

    def damage(self):
        t = self.texts
        self.lines.append(t("line that is no record", "begin").encode())
        self.lines.append(b'V1121 09:00:00.000000 4711 x.py:1] {"' + t("record that is no JSON", "none").encode())
        id = {"frame_id": t("compile id", "none"), "frame_compile_id": 0}
        self.record("dynamo_start", {"stack": t("stack that is none", "none")}, **id)

    def everything(self):
        self.working()
        self.recompiled()
        self.resumed()
        self.broken()
        self.failing()
        self.without_start()
        self.damage()
        return self


def bulky(writer):
    """A compile of which nothing is known but payloads; they take more blocks than a page keeps unpacked."""
    numbers = random.Random(1)
    for i in range(6):
        writer.artifact(f"bulky {i}", "\n".join(numbers.randbytes(32).hex() for _ in range(4100)), **writer.id(8))
    return writer


def prefixed(data, prefix):
    """As a launcher hands the lines of its processes on."""
    return b"".join(prefix.encode() + line for line in data.splitlines(keepends=True))


def write(folder):
    """Writes one file for each shape, of a rank of its own; (the folder to report on, the texts)."""
    texts = Texts()
    for number, shape in enumerate(SHAPES):
        texts.shape = shape
        name = texts("path of a trace file")
        path = folder / f"{number}{name}" / f"dedicated_log_torch_trace_rank_{number}_{name.replace('/', '')[-60:]}.log"
        path.parent.mkdir(parents=True)
        path.write_bytes(HostileWriter(texts, number).everything().data)
        (path.parent / (texts("name of another file", slash="\\") + ".txt")).write_text("not a trace\n")
    return texts
