#!/usr/bin/env python3
"""Time must grow with the trace and not with its square, whatever the trace is made of. Prints TAP.

usage: bench_complexity.py PT2TRACE [SHAPE...]

Each shape is a function that writes n of one thing. The report is made for n and for 4 n; four times the things may
take at most FACTOR times as long (a quadratic step would make it 16).
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

from tap import Tap
from traces import Trace

FACTOR = 8
SMALL = 0.05    # seconds: below, the start of the program is most of it
HTML_MAX = 30_000_000
US = 1_763_711_572_000_000


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


def strings_defined_anew(n):
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
        t.artifact("x", "\n".join("line %d" % k for k in range(n // 64)))
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


SHAPES = {f.__name__: f for f in (
    records_of_one_id, metrics_with_failures, failures_under_a_deep_stack, tracebacks, breaks_of_one_id, breaks_without_place,
    restart_reasons, reasons_of_one_recompile, recompiles_of_one_frame, recompiles_of_frames, stacks, stacks_that_are_equal,
    one_deep_stack, events_one_after_another, events_within_events, ends_without_beginnings, instants, events_of_processes,
    artifact_names, kinds_unknown, resumes_without_breaks, breaks_and_resumes, tensors_and_sources, symbols_and_specializations,
    shape_guards, export_issues, lines_that_are_nothing, json_that_is_none, digests_that_differ, fields_of_wrong_types,
    string_entries, strings_defined_anew, strings_that_are_missing, processes, epochs, epochs_and_new_ids, compile_ids,
    compiles_whole, records_on_one_line, two_records_on_each_line, writers, writers_interleaved, payload_lines, long_line,
    long_line_that_is_nothing, json_members, json_list, cache_events, links, output_code, kernels, code_with_calls,
    graphs_of_passes, vllm_pieces, guards, guards_nested)}


class Run:
    """One report: its CPU time, peak memory and sizes."""

    def __init__(self, program, trace, out):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([program, "report", "-q", "-j", "1", "-o", out, trace], capture_output=True, timeout=100)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.code, self.text = done.returncode, done.stderr.decode(errors="replace")
        self.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.html = os.path.getsize(os.path.join(out, "index.html")) if self.code == 0 else 0
        self.json = os.path.getsize(os.path.join(out, "report.json")) if self.code == 0 else 0
        self.input = os.path.getsize(trace)
        shutil.rmtree(out, ignore_errors=True)


def measure(program, shape, n, directory):
    trace = shape(n).write(os.path.join(directory, "x.log"))
    return Run(program, trace, os.path.join(directory, "out"))


def check(tap, program, name, n, directory):
    one = measure(program, SHAPES[name], n, directory)
    four = measure(program, SHAPES[name], 4 * n, directory)
    why = "%d: %.3f s, %d: %.3f s, %d bytes in, %d HTML, %d JSON; exit %d %s" % (
        n, one.seconds, 4 * n, four.seconds, four.input, four.html, four.json, four.code, four.text)
    if os.environ.get("VERBOSE"):
        print("# %s %s" % (name, why))
    tap.point(name + " take linear time", one.code == 0 and four.code == 0 and four.seconds < FACTOR * max(one.seconds, SMALL), why)
    tap.point(name + " do not blow up the page", four.html <= HTML_MAX, why)
    tap.point(name + " do not blow up report.json", four.json <= 20 * four.input + 1_000_000, why)


def main():
    program, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(SHAPES)
    n = int(os.environ.get("COMPLEXITY_N", "5000"))
    tap = Tap()
    with tempfile.TemporaryDirectory() as directory:
        for name in names:
            check(tap, program, name, n, directory)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
