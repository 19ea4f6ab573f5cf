"""Inputs with n of one thing, for tests and benchmarks of how work grows. Deterministic.

Each function of SHAPES makes an input of n things: a Trace, or Files. `write(path)` writes it and returns what the program
is given. COVERS names, for each list of the model, the shape that fills it.
"""

import json
import pathlib
import re
import sqlite3

from gpu_files import Job
from traces import Trace

US = 1_763_711_572_000_000


class Files:
    """A folder of files, by name."""

    def __init__(self, **files):
        self.files = files

    def write(self, path):
        folder = pathlib.Path(path + ".d")
        for name, text in self.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if callable(text):
                text(file)
            else:
                file.write_text(text, encoding="utf-8")
        return str(folder)


# --- traces -----------------------------------------------------------------------------------------------------------


def started():
    t = Trace().string("/home/u/model.py", 0).at(0)
    return t.start([(0, i, "g%d" % i) for i in range(3)])


def records_of_one_id(n):
    t = started()
    for i in range(n):
        t.artifact("a_graph", "line %d" % i)
    return t


def metrics_with_failures(n):
    t = started()
    for i in range(n):
        t.metrics(fail_type="E%d" % i, fail_reason="because %d" % i, fail_user_frame_lineno=i)
    return t


def failures_under_a_deep_stack(n):
    t = Trace().string("/home/u/model.py", 0).at(0)
    t.start([(0, i, "f") for i in range(1000)])
    for i in range(n):
        t.metrics(fail_type="E", fail_reason="because %d" % i)
    return t


def tracebacks(n):
    t = started()
    for i in range(n):
        t.artifact("dynamo_error", 'Traceback (most recent call last):\n  File "/m.py", line %d, in f\n    x\nValueError: %d' % (i, i))
    return t


BREAK = ("Graph break in user code at /home/u/model.py:%d\nGraph Break Reason: Data-dependent branching %d\n"
         "  Explanation: e\n  Hint: h\n\n  Developer debug context: c\n\nUser code traceback:\n"
         '  File "/home/u/model.py", line %d, in f\n    y\n')


def breaks_of_one_id(n):
    t = started()
    for i in range(n):
        t.artifact("dynamo_graph_break_reason", BREAK % (i, i, i))
    return t


def breaks_without_place(n):
    t = started()
    for i in range(n):
        t.artifact("dynamo_graph_break_reason", "same")
        t.record("compilation_metrics_runtime", {"graph_op_count": 1})
    return t


def restart_reasons(n):
    return started().metrics(restart_reasons=["Restart number %d" % i for i in range(n)]).artifact("x")


def reasons_of_one_recompile(n):
    t = started().at(0, 1)
    t.artifact("recompile_reasons", json.dumps(["0/0: tensor 'x' size mismatch at index 0. expected %d, actual 5" % i
                                                for i in range(n)]))
    return t.start()


def recompiles_of_one_frame(n):
    t = started()
    for i in range(1, n):
        t.at(0, i).artifact("recompile_reasons", "0/0: tensor 'x' size mismatch at index 0. expected 4, actual %d" % i)
        t.start()
    return t


def recompiles_without_a_reason(n):
    """The guards of both compiles say it."""
    t = started()
    for i in range(n):
        t.at(0, i).artifact("dynamo_cpp_guards_str", "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GuardManager: source=L['n'], "
                            "accessed_by=FrameLocalsGuardAccessor(key='n')\n| | +- EQUALS_MATCH: L['n'] == %d\n" % i)
        t.start()
    return t


def recompiles_of_frames(n):
    t = started()
    for i in range(n):
        t.at(i, 1).artifact("recompile_reasons", "%d/0: n == 7" % i)
        t.start([(0, i, "f%d" % i)])
    return t


def stacks(n):
    t = Trace().string("/home/u/model.py", 0)
    for i in range(n // 20):
        t.at(i).start([(0, k * i, "f%d" % k) for k in range(50)])
    return t


def stacks_that_are_equal(n):
    t = Trace().string("/home/u/model.py", 0)
    for i in range(n):
        t.at(i).start([(0, 1, "f"), (0, 2, "g")])
    return t


def one_deep_stack(n):
    return Trace().string("/home/u/model.py", 0).at(0).start([(0, i, "f") for i in range(n)])


def events_one_after_another(n):
    t = started()
    for i in range(n // 2):
        t.event("e%d" % (i % 100), "B", US + 2 * i).event("e%d" % (i % 100), "E", US + 2 * i + 1)
    return t


def events_within_events(n):
    t = started()
    for i in range(n):
        t.event("e%d" % i, "B", US + i)
    return t


def ends_without_beginnings(n):
    t = started()
    for i in range(1024):
        t.event("b%d" % i, "B", US + i)
    for i in range(n):
        t.event("e%d" % i, "E", US + 2000 + i)
    return t


def instants(n):
    t = started()
    for i in range(n):
        t.event("x", "i", US + i)
    return t


def events_of_processes(n):
    parts = []
    for i in range(n):
        parts += Trace(pid=i % 5000 + 1, frame=0, compile=0).event("x", "B", US + i).parts
    return Trace().raw(b"".join(parts))


def artifact_names(n):
    t = started()
    for i in range(n):
        t.artifact("name_%d" % i)
    return t


def kinds_unknown(n):
    t = started()
    for i in range(n):
        t.record("kind_%d" % i, {})
    return t


def resumes_without_breaks(n):
    t = started()
    for i in range(1, n):
        t.at(i).start([(0, 1, "main"), (0, i, "torch_dynamo_resume_in_f_at_%d" % i)])
    return t


def breaks_and_resumes(n):
    t = started()
    for i in range(1, n // 2):
        t.at(0, 0).artifact("dynamo_graph_break_reason", BREAK % (i % 10, i, i % 10))
        t.at(i).start([(0, 1, "main"), (0, i, "torch_dynamo_resume_in_f_at_%d" % (i % 10))])
    return t


def tensors_and_sources(n):
    t = started()
    for i in range(n // 3):
        t.record("describe_storage", {"id": i, "describer_id": 0, "size": 8})
        t.record("describe_tensor", {"id": i, "describer_id": 0, "storage": i, "size": [2], "stride": [1]})
    for i in range(n // 3):
        t.record("describe_source", {"id": 0, "describer_id": i % 2, "source": "L['x%d']" % i})
    return t


def symbols_and_specializations(n):
    t = started()
    for i in range(n // 2):
        t.record("create_symbol", {"symbol": "s%d" % i, "val": "4", "vr": "[2, 4]", "source": "L['x']"})
    for i in range(n // 2):
        t.record("symbolic_shape_specialization", {"symbol": "s%d" % i, "sources": ["x"], "value": "4"})
    return t


def shape_guards(n):
    t = started()
    for i in range(n):
        t.record("guard_added_fast", {"expr": "Eq(s%d, 4)" % i})
    return t


def export_issues(n):
    t = started()
    for i in range(n):
        t.record("missing_fake_kernel", {"op": "op%d" % i})
    return t


def lines_that_are_nothing(n):
    return started().raw("garbage\n" * n)


def json_that_is_none(n):
    t = started()
    for i in range(n):
        t.raw(t.prefix() + '{"artifact": {"name": "x"\n')
    return t


def digests_that_differ(n):
    t = started()
    for i in range(n):
        t.artifact("x", "payload", md5="0" * 32)
    return t


def fields_of_wrong_types(n):
    t = started()
    for i in range(n):
        t.record("describe_tensor", {"id": [], "size": "x", "stride": {}})
    return t


def string_entries(n):
    t = Trace()
    for i in range(n):
        t.string("/home/u/file_%d.py" % i, i)
    return t.at(0).start()


def strings_defined_again(n):
    t = Trace()
    for i in range(n):
        t.string("/home/u/file_%d.py" % i, 0)
    return t.at(0).start()


def strings_that_are_missing(n):
    t = Trace()
    for i in range(n):
        t.pid = i % 5000 + 1
        t.at(i).start([(i, 1, "f")])
    return t


def processes(n):
    t = Trace()
    for i in range(n):
        t.pid = i + 1
        t.at(0).artifact("x")
    return t


def epochs(n):
    t = started()
    for i in range(n):
        t.metrics(graph_op_count=1).start()
    return t


def epochs_and_new_ids(n):
    t = started()
    for i in range(n // 2):
        t.at(0).metrics(graph_op_count=1).start()
    for i in range(n // 2):
        t.at(i + 1).artifact("x")
    return t


def compile_ids(n):
    t = Trace()
    for i in range(n):
        t.at(i).artifact("x")
    return t


def compiles_whole(n):
    t = Trace().string("/home/u/model.py", 0)
    for i in range(n // 4):
        t.at(i).start([(0, i, "f%d" % i)])
        t.record("dynamo_output_graph", {}, "graph %d" % i)
        t.record("dynamo_cpp_guards_str", {}, "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- X: y")
        t.metrics(graph_op_count=3, duration_us=5, start_time_us=US + i)
    return t


def records_on_one_line(n):
    t = started()
    t.parts = [p.rstrip(b"\n") for p in records_of_no_payload(n).parts]
    return t.raw("\n")


def records_of_no_payload(n):
    t = started()
    for i in range(n):
        t.record("dynamo_output_graph", {})
    return t


def two_records_on_each_line(n):
    t = started()
    for i in range(n // 2):
        t.record("dynamo_output_graph", {"n": i})
        t.parts[-1] = t.parts[-1].rstrip(b"\n")
        t.record("dynamo_output_graph", {"n": i})
    return t


def writers(n):
    t = Trace()
    for i in range(n):
        t.raw("[rank%d]: " % i).at(0).record("dynamo_output_graph", {})
    return t


def writers_interleaved(n):
    t = Trace(frame=0, compile=0, attempt=0)
    lines = []
    for i in range(64):
        t.parts = []
        t.artifact("x", "\n".join("line %d" % k for k in range(n // 4)))
        lines.append([b"[rank%d]: " % i + line for line in t.bytes().splitlines(True)])
    return Trace().raw(b"".join(line for group in zip(*lines) for line in group))


def payload_lines(n):
    return started().artifact("x", "\n" * n)


def long_line(n):
    return started().record("artifact", {"name": "x", "more": "y" * (n * 40)})


def long_line_that_is_nothing(n):
    return started().raw(b"V1121 07:52:52.363000 9102 " * (4 * n) + b"\n")


def json_members(n):
    return started().metrics(**{"k%d" % i: i for i in range(n)})


def json_list(n):
    return started().metrics(stack_trace=["Line: %d, Name: f, Filename: /x.py" % i for i in range(n)])


def cache_events(n):
    t = started()
    for i in range(n):
        t.artifact("fx_graph_cache_bypass", '{"key": "k%d", "cache_bypass_reason": "why %d"}' % (i, i), "json")
    return t


def links(n):
    t = started()
    for i in range(n):
        t.record("link", {"name": "l%d" % i, "url": "https://example.org/%d" % i})
    return t


def output_code(n):
    t = started()
    for i in range(n):
        t.record("inductor_output_code", {"filename": "/x.py"}, "cpp_fused_%d = async_compile.cpp('')" % i)
    return t


def kernels(n):
    t = started().record("inductor_output_code", {}, "\n".join("k%d = async_compile.triton(" % i for i in range(n)))
    return t.artifact("inductor_provenance_tracking_kernel_stack_traces", json.dumps(
        {"k%d:1" % i: ['File "/m.py", line 1, in f\n    x\n'] for i in range(n)}), "json")


def code_with_calls(n):
    lines = ["k = async_compile.triton(, )"]
    for i in range(n // 4):
        lines += [f"buf{i} = empty_strided_cuda(({i}, 4), (4, 1))", f"# Source Nodes: [x{i}], Original ATen: []",
                  f"k.run(buf{i}, {'(' * 20}", f"extern_kernels.k{i}(buf{i}, buf{i // 2})"]
    return started().record("inductor_output_code", {}, "\n".join(lines))


def graphs_of_passes(n):
    t = started()
    for i in range(n // 2):
        t.artifact("before_post_grad_graph" if i % 100 == 0 else f"pass{i}_post_grad",
                   f"# File: /m{i}.py:{i} in f, code: x\nx{i} = y")
    return t


def vllm_pieces(n):
    t = started()
    for i in range(n // 2):
        t.artifact("vllm_piecewise_compile_start", json.dumps(
            {"piecewise_index": i % 700, "submod_name": f"m{i % 700}", "compile_range_start": i, "compile_range_end": i + 1}), "json")
    return t


def guards(n):
    return started().record("dynamo_cpp_guards_str", {}, "TREE_GUARD_MANAGER:\n+- RootGuardManager\n" + "".join(
        "| +- EQUALS_MATCH: L['x%d'] == %d\n" % (i, i) for i in range(n)))


def guards_nested(n):
    return started().record("dynamo_cpp_guards_str", {}, "TREE_GUARD_MANAGER:\n+- RootGuardManager\n" + "".join(
        "| " * (i % 600) + "+- GuardManager: source=L['x']\n" for i in range(n // 20)))



def cudagraph_skips(n):
    t = started()
    for i in range(n):
        t.metrics(cudagraph_skip_reason="skipping cudagraphs due to mutated inputs (%d instances)" % i)
    return t


def breaks_with_hints(n):
    text = BREAK.replace("  Hint: h\n", "".join("  Hint: hint %d\n" % i for i in range(n))) % (1, 1, 1)
    return started().artifact("dynamo_graph_break_reason", text)


def collectives_of_a_graph(n):
    return started().record("dynamo_output_graph", {}, "".join(
        "        y%d = torch.ops._c10d_functional.all_reduce.default(x%d, 'sum', '%d')\n" % (i, i, i % 3) for i in range(n)))


# --- texts of a terminal ----------------------------------------------------------------------------------------------


LOG_HEAD = "V1121 07:52:%02d.%03d000 9102 torch/_dynamo/%s [%s] %s"


def log(lines):
    return Trace().raw("".join(line + "\n" for line in lines))


def log_line(i, place, compile, text):
    return LOG_HEAD % (i // 1000 % 60, i % 1000, place, compile, text)


def logged_breaks(n):
    return log(line for i in range(n // 3) for line in (
        log_line(i, "symbolic_convert.py:642]", "%d/0" % i, "[__graph_breaks] Graph break in user code at /m.py:%d" % i),
        log_line(i, "symbolic_convert.py:642]", "%d/0" % i, "[__graph_breaks] Graph Break Reason: Data-dependent branching"),
        log_line(i, "symbolic_convert.py:642]", "%d/0" % i, "[__graph_breaks]   Explanation: e")))


def logged_recompiles(n):
    return log(line for i in range(n // 3) for line in (
        log_line(i, "guards.py:3006]", "0/%d" % (i + 1), "[__recompiles] Recompiling function f in /m.py:4"),
        log_line(i, "guards.py:3006]", "0/%d" % (i + 1), "[__recompiles]     triggered by the following guard failure(s):"),
        log_line(i, "guards.py:3006]", "0/%d" % (i + 1), "[__recompiles]     - 0/0: L['n'] == %d" % i)))


def modules_that_a_function_compiles(n):
    """A program that somebody pasted, each line of which could be the one that compiles what it makes there."""
    return log(["def sell():", *("    till = torch.compile(Till(%d))" % i for i in range(n // 2)), *["        sell(x)"] * (n // 2),
                "torch._dynamo.exc.InternalTorchDynamoError: no till"])


def logged_tracebacks(n):
    return log(line for i in range(n // 4) for line in (
        "Traceback (most recent call last):", '  File "/m.py", line %d, in f' % i, "    y = g(x)",
        "torch._dynamo.exc.InternalTorchDynamoError: number %d" % i))


def logged_times(n):
    rows = ", ".join("'phase_%d': [%d.5, 0.25]" % (i, i) for i in range(n))
    return log([log_line(1, "utils.py:446]", "0/0", "TorchDynamo compilation metrics:"), "{%s}" % rows])


def starts_of_a_server(n):
    lines = ["Using cache directory: /v/torch_compile_cache/%06x/rank_0_0/backbone for vLLM's torch.compile",
             "Dynamo bytecode transform time: 3.25 s", "torch.compile takes 9.50 s in total"]
    return log(["(EngineCore pid=42) INFO 06-20 14:%02d:%02d [backends.py:1076] %s" %
                (i // 60 % 60, i % 60, lines[i % 3] % i if i % 3 == 0 else lines[i % 3]) for i in range(n)])


def lines_of_others(n):
    first = log_line(1, "symbolic_convert.py:642]", "0/0", "[__graph_breaks] Graph break in user code at /m.py:1")
    return log([first, *("step %d: loss=%d.25 at model.py:%d in train" % (i, i, i) for i in range(10 * n))])


# --- other files ------------------------------------------------------------------------------------------------------


def with_gpu(n, names, tool):
    """The trace of a job, and what its GPU did: n kernels of so many names."""
    job = Job()
    job.activities = [("kernel", "kernel_%d" % (i % names), 3 + i / 1000, 400, 0, 0) for i in range(n)]
    files = {"trace/dedicated_log_torch_trace_x.log": job.trace.data.decode()}
    name = {"recorded": "gpu/gpu_activity_4711.txt", "kineto": "profile.json", "nsys": "profile.sqlite"}[tool]
    files[name] = job.nsys if tool == "nsys" else getattr(job, tool)()
    return Files(**files)


def activities_recorded(n):
    return with_gpu(n, 10, "recorded")


def activity_names(n):
    return with_gpu(n, n, "recorded")


def activities_of_profiler(n):
    return with_gpu(n, 10, "kineto")


def activities_of_nsys(n):
    return with_gpu(n, 10, "nsys")


def members_of_profiler(n):
    """Behind the list of events: what was once walked through for each of them."""
    job = Job()
    job.activities = job.activities[:n]
    return Files(**{"trace/x.log": job.trace.data.decode(), "p.json": job.kineto()[:-1] + "".join(', "m%d": 0' % i for i in range(n)) + "}"})


def processes_with_gpu(n):
    files = {}
    for i in range(n // 50):
        job = Job(pid=5000 + i)
        job.activities = [("kernel", "kernel_1", 3, 400, 0, 0)]
        files["trace/t%d.log" % i] = job.trace.data.decode()
        files["gpu/gpu_activity_%d.txt" % job.pid] = job.recorded()
    return Files(**files)


def flight_dump(entries, groups, stacks=1):
    calls = [{"collective_seq_id": i + 1, "p2p_seq_id": 0, "op_id": i + 1, "record_id": i, "pg_id": i % groups, "is_p2p": False,
              "process_group": [str(i % groups), "g"], "profiling_name": "nccl:all_reduce", "input_sizes": [[4 + i]],
              "input_dtypes": ["Float"], "output_sizes": [[4 + i]], "output_dtypes": ["Float"], "state": "completed",
              "time_created_ns": 10**18 + i, "retired": True, "timeout_ms": 1000,
              "frames": [{"name": "f%d" % k, "filename": "/m.py", "line": i} for k in range(stacks)]} for i in range(entries)]
    return json.dumps({"version": "2.10", "entries": calls, "pg_config": {
        str(i): {"name": str(i), "desc": "g", "ranks": "[0, 1]"} for i in range(groups)}, "pg_status": {}})


def flight_entries(n):
    return Files(**{"flight_recorder_rank_%d.json" % i: flight_dump(n, 2, 3) for i in range(2)})


def flight_groups(n):
    return Files(**{"flight_recorder_rank_%d.json" % i: flight_dump(n, n) for i in range(2)})


def flight_dumps(n):
    return Files(**{"flight_recorder_rank_%d.json" % i: flight_dump(4, 1) for i in range(n // 50)})


def run_json(**more):
    rest = {"version": 1, "command": "python t.py", "directory": "/x", "trials": [], **more}
    return Files(**{"run.json": '{"schema": "pt2trace-run",\n' + json.dumps(rest)[1:]})


def trials(n):
    return run_json(trials=[{"name": "t%d" % i, "command": "c %d" % i, "end": "exited", "status": 0, "wall_us": 5 + i} for i in range(n)])


def parts_of_a_trial(n):
    return run_json(trials=[{"name": "base", "command": "c", "end": "exited", "status": 1,
                             "environment": {"V%d" % i: "x" for i in range(n)},
                             "ranks": [{"rank": i, "pid": i + 1, "signal": None, "status": 1, "attempt": 0} for i in range(n)],
                             "stacks": [{"pid": i, "text": "stack %d" % i} for i in range(n)],
                             "checks": [{"what": "c%d" % i, "outcome": "same", "detail": "d"} for i in range(n)],
                             "changes": [{"kind": "recompile", "text": "r%d" % i, "gone": False} for i in range(n)]}])


def texts_of_a_run(n):
    return run_json(conclusions=["conclusion %d" % i for i in range(n)], notes=["note %d" % i for i in range(n)],
                    fixes=[{"finding": "recompile-size", "title": "t%d" % i, "outcome": "no effect"} for i in range(n)])


def devices(n):
    return run_json(devices=[{"index": i, "name": "GPU", "throttled": ["power cap"] * 5,
                              "users": [{"pid": i, "memory": None, "name": "x"}] * 5} for i in range(n)])


def debug_files(n):
    folder = "torch_compile_debug/run_2026_11_21_10_00_00_000000-pid_7/torchinductor/model__%d_inference_%d.%d/%s"
    files = {}
    for i in range(n // 20):
        files[folder % (i, i, i, "fx_graph_readable.py")] = "class GraphModule:\n    x%d = 1\n" % i
        files[folder % (i, i, i, "output_code.py")] = "cpp_fused_%d = async_compile.cpp_pybinding('')\n" % i
    return Files(**files)


# --- which there are --------------------------------------------------------------------------------------------------


def is_shape(f):
    return callable(f) and getattr(f, "__code__", None) and f.__code__.co_varnames[:f.__code__.co_argcount] == ("n",)


SHAPES = {name: f for name, f in list(globals().items()) if is_shape(f)}

# A list of the model (model/rows/fields.def) -> the shape that makes it long.
COVERS = {
    "input.processes": "processes", "input.artifacts": "debug_files", "input.gpus": "processes_with_gpu", "input.devices": "devices",
    "input.stream_keys": "writers", "process.frames": "compile_ids", "process.compiles": "compile_ids", "process.events": "instants",
    "process.times": "logged_times", "process.start_lines": "starts_of_a_server", "process.flights": "flight_dumps", "frame.compiles": "recompiles_of_one_frame",
    "compile.stacks": "stacks", "compile.artifacts": "artifact_names", "compile.breaks": "breaks_of_one_id",
    "compile.reasons": "reasons_of_one_recompile", "compile.restart_reasons": "restart_reasons",
    "compile.cudagraph_skips": "cudagraph_skips", "compile.failures": "metrics_with_failures", "compile.cache_events": "cache_events",
    "compile.symbols": "symbols_and_specializations", "compile.specializations": "symbols_and_specializations",
    "compile.shape_guards": "shape_guards", "compile.export_issues": "export_issues", "compile.tensors": "tensors_and_sources",
    "compile.storages": "tensors_and_sources", "compile.links": "links", "compile.metrics": "records_of_one_id",
    "stack_tree.all": "stacks", "graph_break.hints": "breaks_with_hints", "metrics.values": "json_members",
    "messages.list": "kinds_unknown", "artifact_content.calls": "collectives_of_a_graph", "trial.environment": "parts_of_a_trial",
    "trial.ranks": "parts_of_a_trial", "trial.stacks": "parts_of_a_trial", "trial.checks": "parts_of_a_trial", "trial.changes": "parts_of_a_trial",
    "experiment.fixes": "texts_of_a_run", "experiment.conclusions": "texts_of_a_run", "experiment.notes": "texts_of_a_run",
    "experiment.trials": "trials", "gpu_process.names": "activity_names", "gpu_process.activities": "activities_recorded",
    "gpu_process.regions": "activities_recorded", "gpu_device.throttled": "devices", "gpu_device.users": "devices",
    "flight_dump.groups": "flight_groups", "flight_dump.ops": "flight_entries", "flight_dump.entries": "flight_entries"}
# Lists that a constant of the sources keeps short.
BOUNDED = {"export_issue.locals": "LOCALS_MAX", "export_issue.steps": "STEPS_MAX"}


def lists_of_the_model(source):
    text = pathlib.Path(source, "src", "model", "rows", "fields.def").read_text(encoding="utf-8")
    return [".".join(found) for found in re.findall(r"^ +(?:PARTS|OWNED_LIST|POINTERS|TEXTS)\((\w+), (\w+)", text, re.M)]
