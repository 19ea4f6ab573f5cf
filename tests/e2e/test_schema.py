#!/usr/bin/env python3
"""report.json against its schema and against itself.

    test_schema.py PT2TRACE SOURCE SHARED

SOURCE is the top of the repository, SHARED a folder with more traces, which may be missing. Reads all traces of testdata,
those that this test writes, those of SHARED/traces, and the cases of logs. Prints TAP.
"""

import gzip
import json
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile

from consistency import contradictions
from tap import Failed, Tap, report_of, report_text, run, trace_folders
from writer import Writer

try:
    from jsonschema import Draft202012Validator
except ImportError:
    Draft202012Validator = None

# The names that docs promise, in their order: fields may be added, these stay.
CONTRACT = {
    "": "schema version tool inputs environment totals findings compiles configurations graph_breaks recompiles errors caches symbols "
        "phases ranks kernels messages",
    "tool": "version command",
    "inputs[]": "path kind rank pid bytes records used why_not",
    "environment": "pytorch python triton cuda",
    "totals": "ranks processes frames compiles attempts restarts graph_breaks distinct_graph_breaks recompiles "
              "recompile_limit_hits errors cache_hits cache_misses cache_bypasses graphs guards records unknown_records payloads "
              "payload_bytes bad_payloads strings chromium_events compile_wall_s",
    "findings[]": "id severity title detail cost rank compiles file line fix paste doc",
    "compiles[]": "rank pid epoch id frame status recompile attempts start duration_s backward graph_ops guards cache metrics "
                  "artifacts",
    "compiles[].frame": "name file line",
    "compiles[].artifacts[]": "name kind bytes md5 lines stored",
    "graph_breaks[]": "rank type gb_id reason explanation hints file line function source count compiles stack",
    "recompiles[]": "rank compile frame reasons limit_hit duration_s",
    "recompiles[].reasons[]": "against text class source expected actual",
    "errors[]": "rank compile category stage type message file line stack next",
    "caches[]": "rank compile layer outcome key reason",
    "symbols[]": "rank compile symbol source hint range unbacked specialized_to file line",
    "phases[]": "rank name wall_s count",
    "ranks": "world_size present absent compared first_divergence divergences",
    "ranks.first_divergence": "kind compile groups detail cause file line",
    "kernels[]": "compile name kind nodes file line gpu",
    "messages[]": "code severity file line text count",
}
ENUMS = {
    "findings[].severity": "critical high medium low info",
    "compiles[].status": "ok graph_break error empty incomplete",
    "compiles[].artifacts[].stored": "inline file dropped",
    "caches[].outcome": "hit miss bypass",
}


# What no trace read here has: the places in the schema, by how they begin, and the test that asks for their values.
ELSEWHERE = {
    "gpu.": "test_gpu.py", "gpu_": "test_gpu.py", "kernel_gpu.": "test_gpu.py",
    "kernel.heuristic": "test_gpu.py", "kernel.compile_s": "test_gpu.py", "kernel.autotuned": "test_gpu.py",
    "environment.gpu": "test_gpu.py",
    "environment.triton": "PyTorch names it where there is a GPU", "cache_outcomes.triton": "test_gpu.py",
    "experiment.": "test_run.py", "fix.": "test_run_fix.py", "tried_fix.": "test_run_fix.py", "trial": "test_run.py", "env_setting.": "test_run.py",
    "schedule_mismatch.": "test_divergence.py", "flight_stop.silent": "test_flight.py", "recorded_call.": "test_flight.py",
    "labeled_frame.label": "test_cli.py", "labeled_frame.group": "test_cli.py", "artifact.subgraph": "unit/test_kinds.c",
    "redaction_counts.numbers": "test_redact.py", "redaction_counts.addresses": "test_redact.py", "redaction_counts.urls": "test_redact.py",
}


# --- the schema itself ----------------------------------------------------------------------------------------------------


class Schema:
    def __init__(self, path):
        self.root = json.loads(path.read_text(encoding="utf-8"))
        self.validator = Draft202012Validator(self.root)
        self.met = set()  # places that had a value in some report

    def resolve(self, schema):
        """What a schema says of an object or array, references followed and null left out."""
        while "$ref" in schema or "anyOf" in schema:
            if "$ref" in schema:
                schema = self.root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
            else:
                schema = next(one for one in schema["anyOf"] if one.get("type") != "null")
        return schema

    def at(self, path):
        """The schema of "compiles[].frame"."""
        schema = self.resolve(self.root)
        for word in filter(None, re.split(r"\.|(\[\])", path)):
            schema = self.resolve(schema["items"] if word == "[]" else schema["properties"][word])
        return schema

    def complaints(self, report):
        errors = sorted(self.validator.iter_errors(report), key=lambda error: list(map(str, error.absolute_path)))
        return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:160]}" for error in errors]

    def disorder(self, value, schema=None, path=""):
        """Keys that the schema does not document, and objects whose keys are not in its order."""
        schema = self.resolve(schema or self.root)
        if isinstance(value, dict) and "properties" in schema:
            documented = list(schema["properties"])
            keys = list(value)
            if keys != [key for key in documented if key in value]:
                yield f"{path}: {[key for key in keys if key not in documented] or 'keys are out of order'}"
            for key in keys:
                if key in documented:
                    yield from self.disorder(value[key], schema["properties"][key], f"{path}/{key}")
        elif isinstance(value, list) and "items" in schema:
            for item in value:
                yield from self.disorder(item, schema["items"], f"{path}[]")


    def meet(self, value, schema=None, place="report"):
        """Remembers the places that have a value. A place is where the schema describes it: "compile.cache.triton"."""
        schema = schema or self.root
        while value is not None and ("$ref" in schema or "anyOf" in schema):
            if "$ref" in schema:
                place = schema["$ref"].removeprefix("#/$defs/")
                schema = self.root["$defs"][place]
            else:
                schema = next(one for one in schema["anyOf"] if one.get("type") != "null")
        if isinstance(value, dict) and "properties" in schema:
            for key in value.keys() & schema["properties"].keys():
                self.meet(value[key], schema["properties"][key], f"{place}.{key}")
        elif isinstance(value, list) and "items" in schema:
            for item in value:
                self.meet(item, schema["items"], f"{place}[]")
        elif value is not None:
            self.met.add(place)

    def places(self, schema, place):
        """All that can have a value."""
        schema = next((one for one in schema.get("anyOf", []) if one.get("type") != "null"), schema)
        if "properties" in schema:
            for key, property_ in schema["properties"].items():
                yield from self.places(property_, f"{place}.{key}")
        elif "items" in schema:
            yield from self.places(schema["items"], f"{place}[]")
        elif "$ref" not in schema:
            yield place

    def never_met(self):
        places = list(self.places(self.root, "report"))
        for name, definition in self.root["$defs"].items():
            places += self.places(definition, name)
        return [place for place in places if place not in self.met and not place.startswith(tuple(ELSEWHERE))]


def undescribed(schema, path=""):
    """Properties that say nothing of what they mean."""
    for name, property_ in schema.get("properties", {}).items():
        if "description" not in property_ and "$ref" not in property_:
            yield f"{path}/{name}"
        yield from undescribed(property_, f"{path}/{name}")
        for one in property_.get("anyOf", []):
            yield from undescribed(one, f"{path}/{name}")
        yield from undescribed(property_.get("items", {}), f"{path}/{name}[]")
    for name, definition in schema.get("$defs", {}).items():
        if "description" not in definition:
            yield f"$defs/{name}"
        yield from undescribed(definition, f"$defs/{name}")


def test_schema_itself(tap, schema):
    Draft202012Validator.check_schema(schema.root)
    tap.empty("every field of the schema is described", list(undescribed(schema.root)))
    for path, names in CONTRACT.items():
        names, object_ = names.split(), schema.at(path)
        required = [name for name in object_["required"] if name in names]
        tap.equal(f"the contract's fields of {path or 'the report'} are required, in its order", names, required)
    for path, words in ENUMS.items():
        allowed = [word for word in schema.at(path)["enum"] if word is not None]
        tap.equal(f"values of {path}", words.split(), allowed)


# --- traces that no workload at hand leaves -------------------------------------------------------------------------------


def everything():
    """A record of every kind, with and without the fields that may be missing."""
    w = Writer(zone_hours=1)
    id = w.compile(0, 0)
    w.artifact("torch_version", '{"pytorch_version": "2.13.0", "commit": "abc"}', "json")
    w.record("describe_storage", {"id": 0, "describer_id": 0, "size": 24}, **id)
    w.record("describe_tensor", {"id": 0, "ndim": 2, "dtype": "torch.float32", "device": "device(type='cuda', index=1)",
                                 "size": [2, "s77"], "stride": ["s77", 1], "storage": 0, "describer_id": 0}, **id)
    w.record("describe_source", {"describer_id": 0, "id": 0, "source": "L['x']"}, **id)
    w.record("create_symbol", {"symbol": "s77", "val": "3", "vr": "[2, int_oo]", "source": "L['x'].size()[1]",
                               "user_stack": [w.frame(9, "f", loc="y = x + 1")]}, **id)
    w.record("create_unbacked_symbol", {"symbol": "u0", "node_id": 1, "vr": "[0, int_oo]"}, **id)
    w.record("symbolic_shape_specialization", {"symbol": "s77", "sources": ["L['x'].size()[1]"], "value": 3}, **id)
    w.record("guard_added_fast", {"expr": "s77 > 3"}, **id)
    w.record("missing_fake_kernel", {"op": "my.op.default"}, **id)
    w.record("mismatched_fake_kernel", {"op": "my.op.default", "reason": "stride"}, **id)
    w.record("guard_on_data_dependent_error", {"expr": "Eq(u0, 0)"}, **id)
    w.record("propagate_real_tensors", {"expr": "u0", "result": "5"}, **id)
    w.record("link", {"name": "profile", "url": "https://example.org/"}, **id)
    w.record("inductor_output_code", {"filename": "/tmp/x.py"}, "cpp_fused_add_0 = async_compile.cpp_pybinding([])\n", **id)
    w.artifact("inductor_provenance_tracking_node_mappings", '{"cppCodeToPost": {"cpp_fused_add_0:1": ["add"]}}', "json", **id)
    for name in ("fx_graph_cache_miss", "fx_graph_cache_hit", "aotautograd_cache_bypass", "precompile_cache_bypass"):
        w.artifact(name, '{"key": "k", "cache_bypass_reason": "no", "time_saved_ns": 1500000}', "json", **id)
    w.artifact("get_local_code_state", "state", **id)
    w.artifact("dynamo_graph_break_reason", BREAK, **id)
    w.artifact("an_artifact_of_ours", "text", **id)
    w.record("bwd_compilation_metrics", {"fail_type": "RuntimeError", "fail_reason": "no"}, **id)
    w.metrics("bwd_compilation_metrics", 0.25, id)
    w.metrics("compilation_metrics_runtime", 0.1, id)
    w.compile(1, 0, ops=0, dynamo_config='{"a": 1}', inductor_config='{"b": 2}')
    again = {"frame_id": 1, "frame_compile_id": 1, "attempt": 0}
    w.artifact("recompile_reasons", "1/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "json", **again)
    w.compile(1, 1, dynamo_config='{"a": 1}', inductor_config='{"b": 3}')
    limit = {"frame_id": 1, "frame_compile_id": 2, "attempt": 0}
    w.artifact("recompile_reasons", "[\n\"1/1: n == 7\",\n\"1/0: ___check_global_state()\"\n]", "json", **limit)
    w.metrics(id=limit, fail_type="Unsupported", fail_reason="Dynamo recompile limit exceeded")
    failing = {"frame_id": 2, "frame_compile_id": 0, "attempt": 0}
    w.start("g", 20, **failing)
    w.artifact("dynamo_error", "Traceback (most recent call last):\n  File \"/t.py\", line 1, in f\n    x\nValueError: no\n", **failing)
    w.metrics(id=failing, fail_type="ValueError", fail_reason="no", restart_reasons=["<class 'X'>"])
    w.record("compiled_autograd_graph", {}, "graph", compiled_autograd_id=0)
    w.start("h", 30, frame_id=3, frame_compile_id=0, compiled_autograd_id=0, attempt=0)
    w.compile(0, 0, function="after_reset")
    return w


BREAK = """Graph break in user code at /x/model.py:9
Graph Break Reason: Call to `torch._dynamo.graph_break()`
  Explanation: User-inserted graph break. Message: None
  Hint: Remove the `torch._dynamo.graph_break()` call.

  Developer debug context: Called `torch._dynamo.graph_break()` with args `[]`, kwargs `{}`

 For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0025.html

User code traceback:
  File "/x/model.py", line 9, in f
    torch._dynamo.graph_break()
"""


def empty_strings():
    """Whatever is a string is empty here, and the report must not pass that on."""
    w = Writer()
    id = w.compile(0, 0, function="")
    w.record("", {}, "payload without a kind")
    w.record(None, None)
    w.record("", [])
    w.artifact("", "", **id)
    w.artifact("recompile_reasons", "", "json", frame_id=0, frame_compile_id=1)
    w.artifact("dynamo_graph_break_reason", "", **id)
    w.artifact("dynamo_error", "", **id)
    w.artifact("fx_graph_cache_bypass", '{"key": "", "cache_bypass_reason": ""}', "json", **id)
    w.record("create_symbol", {"symbol": "", "val": "", "vr": "", "source": ""}, **id)
    w.record("missing_fake_kernel", {"op": ""}, **id)
    w.record("describe_tensor", {"id": 0, "describer_id": 0, "dtype": "", "device": "", "size": []}, **id)
    w.record("describe_source", {"describer_id": 0, "id": 0, "source": ""}, **id)
    w.record("link", {"name": "", "url": ""}, **id)
    w.record("inductor_output_code", {"filename": ""}, " = async_compile.cpp(\n", **id)
    w.artifact("inductor_provenance_tracking_node_mappings", '{"cppCodeToPost": {"": [""], "k": [""]}}', "json", **id)
    w.record("chromium_event", {}, json.dumps({"name": "", "ts": w.now_us, "ph": "B"}), **id)
    w.record("str", ["", 7])
    w.record("dynamo_start", {"stack": [{"line": 0, "name": "", "filename": 7, "loc": ""}]}, frame_id=9, frame_compile_id=0)
    w.metrics(id=id, fail_type="", fail_reason="", pytorch_version="", restart_reasons=[""])
    return w


def damaged():
    w = Writer()
    w.compile(0, 0)
    w.artifact("x", "what was written", frame_id=0, frame_compile_id=0)
    w.lines[-1] = b"\twhat is there now"
    w.lines += [b"no record", b"\tstray", b"V1121 09:00:00.000000 1 x.py:1] {broken", b'V1121 09:00:00.000000 4711 x.py:1] {"dynamo_st']
    return w


def written(folder):
    """{name: folder} of the traces that this test writes."""
    traces = {
        "everything": {"dedicated_log_torch_trace_a.log": everything()},
        "empty strings": {"dedicated_log_torch_trace_a.log": empty_strings()},
        "damage": {"dedicated_log_torch_trace_a.log": damaged()},
        "no compile": {"dedicated_log_torch_trace_a.log": without_compile()},
        "ranks": {f"dedicated_log_torch_trace_rank_{rank}_x.log": of_rank(rank) for rank in (10, 0, 3)},
        "two runs": {"dedicated_log_torch_trace_rank_0_a.log": of_rank(0), "dedicated_log_torch_trace_rank_0_b.log": of_rank(0, 10**7)},
        "unused files": {"dedicated_log_torch_trace_a.log": everything(), "notes.txt": b"hello\n", "empty.log": b"",
                         "stderr.log": b"V1121 08:00:00.000000 1 torch/x.py:1] [0/0] [__guards] GUARDS:\n"},
    }
    folders = {}
    for name, files in traces.items():
        folders[name] = folder / name.replace(" ", "_")
        folders[name].mkdir()
        for file, content in files.items():
            (folders[name] / file).write_bytes(content if isinstance(content, bytes) else content.data)
            os.utime(folders[name] / file, (1795250000, 1795250000))
    return folders


def without_compile():
    w = Writer()
    w.record("str", ["/x.py", 0])
    return w


def of_rank(rank, ms=0):
    w = Writer(pid=100 + rank, rank=rank, ms=ms)
    w.compile(0, 0)
    w.compile(0, 1)
    return w


# --- every trace ----------------------------------------------------------------------------------------------------------


def test_report(tap, schema, name, report):
    tap.empty(f"{name}: valid", schema.complaints(report))
    tap.empty(f"{name}: keys are documented and in order", sorted(set(schema.disorder(report))))
    tap.empty(f"{name}: no contradiction", contradictions(report))
    schema.meet(report)


def without_command(text):
    return re.sub(rb'("command":)\[.*\]', rb"\1[]", text, count=1)


def test_threads(tap, name, pt2trace, out, paths, text):
    """`text` is of as many threads as there are processors."""
    texts = {without_command(report_text(pt2trace, out, *paths, options=("-j", jobs))) for jobs in ("1", "5")}
    tap.point(f"{name}: the same bytes with one and five threads", texts == {without_command(text)})


def stripped(report):
    """A report without what differs between a file and its compressed copy."""
    text = json.dumps({**report, "tool": None}).replace(".gz", "")
    report = json.loads(text)
    for input_ in report["inputs"]:
        input_["bytes"] = None
    return report


def copies(folder, target, change):
    """Copies trace files, each through `change`: (name, bytes) -> (name, bytes)."""
    target.mkdir(parents=True)
    for path in sorted(folder.iterdir()):
        name, data = change(path.name, path.read_bytes())
        (target / name).write_bytes(data)
        os.utime(target / name, (path.stat().st_mtime, path.stat().st_mtime))


def unpack(name, data):
    return (name.removesuffix(".gz"), gzip.decompress(data)) if data[:2] == b"\x1f\x8b" else (name, data)


def pack(name, data):
    name, data = unpack(name, data)
    return name + ".gz", gzip.compress(data, 1, mtime=0)


def test_compression(tap, name, pt2trace, folder, temp):
    reports = []
    for change in (unpack, pack):
        shutil.rmtree(temp / "copy", ignore_errors=True)
        copies(folder, temp / "copy" / "trace", change)
        reports.append(stripped(report_of(pt2trace, temp / "out", "trace", cwd=temp / "copy")))
    tap.equal(f"{name}: a compressed trace gives the same report", *reports)


def test_ways_to_name(tap, name, pt2trace, folder, temp, text):
    files = sorted(folder.iterdir())
    random.Random(1).shuffle(files)
    by_file = without_command(report_text(pt2trace, temp / "out", *files))
    tap.point(f"{name}: the same bytes by file as by directory", without_command(text) == by_file)


def test_directory_order(tap, name, pt2trace, folder, temp, places):
    """The same files, created in another order and on another file system: readdir lists them in another order."""
    texts = set()
    for seed, place in enumerate(places):
        target = pathlib.Path(tempfile.mkdtemp(prefix="pt2trace-order-", dir=place))
        paths = list(folder.iterdir())
        random.Random(seed).shuffle(paths)
        (target / "trace").mkdir()
        for path in paths:
            shutil.copy2(path, target / "trace" / path.name)
        texts.add(without_command(report_text(pt2trace, temp / "out", "trace", cwd=target)))
        shutil.rmtree(target)
    tap.point(f"{name}: the same bytes for any order of the directory", len(texts) == 1)


def test_case(tap, schema, pt2trace, path, temp):
    """Logs, explain() and torch_compile_debug directories: the inputs of cases that are files."""
    name = f"case {path.parent.name}"
    try:
        text = report_text(pt2trace, temp / "out", path)
        test_report(tap, schema, name, json.loads(text))
        test_threads(tap, name, pt2trace, temp / "out", [path], text)
    except Failed as error:
        tap.point(f"{name}: a report is written", False, error)


def without_guards(folder, target):
    """A job whose guards, which name the lines of collectives, were not recorded."""
    target.mkdir()
    for path in folder.iterdir():
        records = re.split(rb"(?m)^(?=V\d{4} )", gzip.decompress(path.read_bytes()))
        (target / path.name.removesuffix(".gz")).write_bytes(b"".join(r for r in records if b"dynamo_cpp_guards_str" not in r))
    return target


def test_standard_input(tap, schema, pt2trace, folder, temp):
    path = next(folder.iterdir())
    with open(path, "rb") as data:
        done = run(pt2trace, "report", "-q", "--no-browser", "--overwrite", "-o", temp / "out", "-", stdin=data)
    if tap.equal("standard input is read", 0, done.returncode):
        report = json.loads((temp / "out" / "report.json").read_bytes())
        test_report(tap, schema, "standard input", report)
        tap.equal("standard input: bytes are those read", path.stat().st_size, report["inputs"][0]["bytes"])


def test_written(tap, reports):
    """What the traces written here must give."""
    report = reports["unused files"]
    unused = {pathlib.Path(input_["path"]).name: (input_["kind"], input_["bytes"], input_["records"], bool(input_["why_not"]))
              for input_ in report["inputs"] if not input_["used"]}
    tap.equal("files that are not used are listed, with what is known of them", {
        "notes.txt": ("other", 6, None, True), "empty.log": ("other", 0, None, True)}, unused)
    report = reports["ranks"]
    tap.equal("ranks", [0, 3, 10], report["ranks"]["present"])
    tap.equal("absent ranks", [1, 2, 4, 5, 6, 7, 8, 9], report["ranks"]["absent"])
    tap.equal("number of ranks", 3, report["totals"]["ranks"])
    report = reports["two runs"]
    tap.equal("a rank of two runs is present once", [0], report["ranks"]["present"])
    tap.equal("runs", 2, report["totals"]["runs"])
    report = reports["no compile"]
    tap.equal("what is unknown is null", [None] * 5, [report["totals"][name] for name in (
        "guards", "cache_hits", "cache_misses", "cache_bypasses", "compile_wall_s")])
    report = reports["damage"]
    tap.equal("damage is counted", 1, report["totals"]["bad_payloads"])
    report = reports["everything"]
    compiles = {(item["epoch"], item["id"]): item for item in report["compiles"]}
    tap.equal("compiles", [(0, "!0"), (0, "!0/3/0"), (0, "0/0"), (0, "1/0"), (0, "1/1"), (0, "1/2"), (0, "2/0"), (1, "0/0")],
              sorted(compiles))
    first = compiles[0, "0/0"]
    tap.equal("time of backward graphs", 0.25, first["backward_duration_s"])
    tap.equal("records of backward graphs", 2, len(first["backward_metrics"]))
    tap.equal("local time with its zone", "2026-11-21T08:00:00.", first["start"][:20])
    tap.equal("zone", "+01:00", first["start"][-6:])
    tap.equal("the worst answer of a cache", {"pgo": "hit", "precompile": "bypass", "aotautograd": "bypass", "fx_graph": "miss"},
              first["cache"])
    tap.equal("statuses", {"0/0": "error", "1/0": "empty", "1/1": "ok", "1/2": "error", "2/0": "error"},
              {id: compiles[0, id]["status"] for id in ("0/0", "1/0", "1/1", "1/2", "2/0")})
    tap.equal("each configuration once", ['{"a": 1}', '{"b": 2}', '{"b": 3}'], [item["text"] for item in report["configurations"]])
    tap.equal("configurations of compiles", [[0, 1], [0, 2]], [
        [compiles[0, id]["metrics"][name] for name in ("dynamo_config", "inductor_config")] for id in ("1/0", "1/1")])
    tap.equal("the limit", [True], [item["limit_hit"] for item in report["recompiles"] if item["compile"] == "1/2"])


def test_values(tap, schema, pt2trace, everything, temp):
    """A field that is always null would be valid, and nobody would miss it."""
    options = ("--redact", "--title", "a title", "--note", "a note", "--artifacts", "all")
    test_report(tap, schema, "with words of the sender's", report_of(pt2trace, temp / "out", everything, options=options))
    tap.empty("every field has a value in some report", schema.never_met())


def main(pt2trace, source, shared):
    tap, pt2trace = Tap(), pathlib.Path(pt2trace).resolve()
    if Draft202012Validator is None:
        tap.point("python3-jsonschema is there", False, "tools/setup --tests installs it")
        return tap.end()
    source = pathlib.Path(source).resolve()
    schema = Schema(source / "schema" / "report.schema.json")
    test_schema_itself(tap, schema)
    with tempfile.TemporaryDirectory(prefix="pt2trace-schema-") as temp:
        temp = pathlib.Path(temp)
        places = [temp, pathlib.Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else temp]
        (temp / "written").mkdir()
        own = written(temp / "written")
        own["ranks without guards"] = without_guards(source / "testdata" / "ranks_runs" / "trace", temp / "written" / "unguarded")
        folders = {f"written: {name}": folder for name, folder in own.items()}
        for root in (source / "testdata", pathlib.Path(shared) / "traces"):
            folders.update({str(folder.relative_to(root.parent)): folder for folder in trace_folders(root)})
        reports = {}
        for name, folder in folders.items():
            try:
                text = report_text(pt2trace, temp / "out", folder)
                report = reports[name.removeprefix("written: ")] = json.loads(text)
                test_report(tap, schema, name, report)
                test_threads(tap, name, pt2trace, temp / "out", [folder], text)
                test_ways_to_name(tap, name, pt2trace, folder, temp, text)
                test_compression(tap, name, pt2trace, folder, temp)
                test_directory_order(tap, name, pt2trace, folder, temp, places)
            except Failed as error:
                tap.point(f"{name}: a report is written", False, error)
        for case in sorted((source / "tests" / "cases" / "log").glob("*/input*")):
            test_case(tap, schema, pt2trace, case, temp)
        test_standard_input(tap, schema, pt2trace, own["everything"], temp)
        test_written(tap, reports)
        test_values(tap, schema, pt2trace, own["everything"], temp)
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
