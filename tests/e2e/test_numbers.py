#!/usr/bin/env python3
"""Counts and times that were once wrong, each on a small trace that this test writes.

    test_numbers.py PT2TRACE

Prints TAP.
"""

import hashlib
import json
import pathlib
import re
import sys
import tempfile

from consistency import contradictions
from kept_calls import keep
from tap import Failed, Tap, report_of, run
from test_schema import BREAK
from writer import Writer

OLD_PID = 140408342371200  # a thread id, as PyTorch 2.4 and earlier log it
RESTART = "builtin: print [<class 'ConstantVariable'>] False"


def id_of(frame, number, attempt=0):
    return {"frame_id": frame, "frame_compile_id": number, "attempt": attempt}


class Case:
    """Checks that are made on the reports of one trace."""

    def __init__(self, tap, pt2trace, temp):
        self.tap, self.pt2trace, self.temp = tap, pt2trace, temp
        self.path = temp / "trace.log"

    def report(self, writer):
        self.path.write_bytes(writer if isinstance(writer, bytes) else writer.data)
        try:
            report = report_of(self.pt2trace, self.temp / "out", self.path)
        except Failed as error:
            self.tap.point("a report is written", False, error)
            return None
        return report

    def equal(self, name, expected, found):
        self.tap.equal(name, expected, found)

    def sound(self, name, report):
        self.tap.empty(f"{name}: no contradiction", contradictions(report))


# --- times ----------------------------------------------------------------------------------------------------------------


def test_without_ids(case):
    """AOTInductor: no record has an id, the metrics have an end but no duration."""
    w = Writer()
    w.event("compile_fx_aot", "B")
    w.ms += 1000
    w.event("inductor_compile", "B")
    w.ms += 2000
    w.event("inductor_compile", "E")
    w.event("compile_fx_aot", "E")
    w.metrics(seconds=3, duration_us=None)
    report = case.report(w)
    case.equal("AOTInductor: wall time of compiling", 3.0, report["totals"]["compile_wall_s"])
    case.equal("AOTInductor: self times", {"compile_fx_aot": 1.002, "inductor_compile": 2.001},
               {phase["name"]: round(phase["self_s"], 4) for phase in report["phases"]})


def test_work_beside(case):
    """Compiler processes have no id either, but run beside a compile: their time is not counted twice."""
    w = Writer()
    id = id_of(0, 0)
    w.event("dynamo", "B", **id)
    w.event("compile_file", "B")
    w.ms += 1000
    w.event("compile_file", "E")
    w.event("dynamo", "E", **id)
    report = case.report(w)
    own = {phase["name"]: round(phase["self_s"], 4) for phase in report["phases"]}
    case.equal("compiler processes: self times", {"dynamo": 1.003, "compile_file": 0.0}, own)


def test_several_backwards(case):
    """DDP splits a graph, and each part has a backward graph of its own."""
    w = Writer()
    id = w.compile(0, 0)
    w.ms += 5000
    w.metrics("bwd_compilation_metrics", 2, id)
    w.ms += 5000
    w.metrics("bwd_compilation_metrics", 1, id)
    report = case.report(w)
    case.equal("several backward graphs: wall time", 3.1, round(report["totals"]["compile_wall_s"], 1))
    case.equal("several backward graphs: their time", 3.0, report["compiles"][0]["backward_duration_s"])
    case.equal("several backward graphs: the forward one alone", 0.1, report["compiles"][0]["duration_s"])


def test_failed_in_2_5(case):
    """Its metrics have a start but no time: that is not known to be none."""
    w = Writer()
    w.start("f", 3, **id_of(0, 0))
    began = w.now_us / 1e6
    w.ms += 400
    w.record("compilation_metrics", {"start_time": began, "entire_frame_compile_time_s": None, "fail_type": "Unsupported",
                                     "fail_reason": "no"}, **id_of(0, 0))
    report = case.report(w)
    case.equal("a compile that failed in PyTorch 2.5 took time", True, 0.3 < report["compiles"][0]["duration_s"] < 0.5)
    case.equal("reals are printed with 15 digits", True, abs(report["compiles"][0]["metrics"]["start_time"] - began) < 1e-4)


def test_lazy_backward_without_metrics(case):
    """Without metrics the time is taken from the records, up to the guards: a backward graph comes much later."""
    w = Writer()
    w.start("f", 3, **id_of(0, 0))
    w.ms += 500
    w.record("dynamo_cpp_guards_str", {}, "guards", **id_of(0, 0))
    w.ms += 60_000
    w.record("aot_backward_graph", {}, "graph", **id_of(0, 0))
    report = case.report(w)
    case.equal("a compile ends with its guards", 0.5, round(report["compiles"][0]["duration_s"], 1))


# --- graph breaks ---------------------------------------------------------------------------------------------------------


def test_namesakes(case):
    """Two functions of one name in a file: the resume function of one is not there because of a break in the other."""
    w = Writer()
    w.artifact("torch_version", '{"pytorch_version": "2.13.0"}', "json")
    first, second = w.compile(0, 0, function="forward", line=17), w.compile(1, 0, function="forward", line=8)
    for id in (first, second):
        w.artifact("dynamo_graph_break_reason", BREAK, **id)
    w.compile(2, 0, function="torch_dynamo_resume_in_forward_at_10", line=10)
    w.compile(3, 0, function="torch_dynamo_resume_in_forward_at_18", line=18)
    report = case.report(w)
    case.equal("a break has a record from 2.6 on", ["record"], [break_["known_from"] for break_ in report["graph_breaks"]])
    case.equal("met by", ["0/0", "1/0"], report["graph_breaks"][0]["compiles"])
    case.equal("the resume function worked", "ok", report["compiles"][2]["status"])


def test_namesakes_in_2_5(case):
    w = Writer()
    names = {"pytorch_version": None}
    w.compile(0, 0, function="forward", line=17, restart_reasons=[RESTART], **names)
    w.compile(1, 0, function="forward", line=8, restart_reasons=[RESTART], **names)
    w.compile(2, 0, function="torch_dynamo_resume_in_forward_at_10", line=10, **names)
    w.compile(3, 0, function="torch_dynamo_resume_in_forward_at_18", line=18, **names)
    report = case.report(w)
    found = sorted((id, break_["line"]) for break_ in report["graph_breaks"] for id in break_["compiles"])
    case.equal("breaks of 2.5 where their resume functions go on", [("0/0", 18), ("1/0", 10)], found)


def test_both_branches_in_2_5(case):
    """A jump on data has a resume function for either branch: both are of the frame that jumped, one call above."""
    w = Writer()
    frames = (("f", 3, ()), ("torch_dynamo_resume_in_f_at_5", 5, ("_fn",)), ("torch_dynamo_resume_in_f_at_5", 5, ("_fn",)))
    for number, (function, line, callers) in enumerate(frames):
        stack = [w.frame(1, "<module>"), *(w.frame(451, caller) for caller in callers), w.frame(line, function)]
        w.record("dynamo_start", {"stack": stack}, **id_of(number, 0))
        w.metrics(id=id_of(number, 0), pytorch_version=None, graph_op_count=1)
    report = case.report(w)
    case.equal("a jump on data is one break", [("0/0", 5)],
               [(id, break_["line"]) for break_ in report["graph_breaks"] for id in break_["compiles"]])


def test_given_up_in_2_5(case):
    """Dynamo gives a frame up, and the program goes on: PyTorch logs a graph break, the trace has an exception alone."""
    w = Writer()
    w.start("f", 3, **id_of(0, 0))
    w.metrics(id=id_of(0, 0), pytorch_version="2.5.1", fail_type="Unsupported", fail_reason="missing: LOAD_BUILD_CLASS",
              fail_user_frame_filename="/x/model.py", fail_user_frame_lineno=4)
    w.compile(1, 0, function="g", line=20, pytorch_version="2.5.1")
    report = case.report(w)
    case.equal("a frame given up in 2.5", [("missing: LOAD_BUILD_CLASS", "/x/model.py", 4, "failure", ["0/0"])],
               [(item["type"], item["file"], item["line"], item["known_from"], item["compiles"]) for item in report["graph_breaks"]])
    case.equal("is no error", (0, "graph_break"), (report["totals"]["errors"], report["compiles"][0]["status"]))
    case.sound("given up in 2.5", report)


def test_met_twice(case):
    """The same place in two attempts of one compile is one break; in two compiles it counts twice."""
    w = Writer()
    w.start("f", 3, **id_of(0, 0))
    w.artifact("dynamo_graph_break_reason", BREAK, **id_of(0, 0, 0))
    w.artifact("dynamo_graph_break_reason", BREAK, **id_of(0, 0, 1))
    w.metrics(id=id_of(0, 0, 1), graph_op_count=1)
    id = w.compile(1, 0)
    w.artifact("dynamo_graph_break_reason", BREAK, **id)
    report = case.report(w)
    case.equal("a break counts once per compile", (2, 1, [2]), (
        report["totals"]["graph_breaks"], report["totals"]["distinct_graph_breaks"], [item["count"] for item in report["graph_breaks"]]))


def test_frames_of_2_3(case):
    """The stack of dynamo_start ends with the caller there. A frame is known by what is compiled inside it."""
    w = Writer(pid=OLD_PID)
    wrapper = w.frame(451, "_fn", "/opt/torch/_dynamo/eval_frame.py")
    outer = [w.frame(9, "<module>"), wrapper]
    inner = outer + [w.frame(3, "f")]
    for frame, stack in ((0, outer), (1, inner), (2, inner + [w.frame(5, "torch_dynamo_resume_in_f_at_5")])):
        w.record("dynamo_start", {"stack": stack}, **id_of(frame, 0))
        w.record("dynamo_output_graph", {"sizes": {}}, "graph", **id_of(frame, 0))
        w.record("dynamo_guards", {}, "[]", **id_of(frame, 0))
    report = case.report(w)
    case.equal("frames of 2.3", ["f", "torch_dynamo_resume_in_f_at_5", None], [item["frame"]["name"] for item in report["compiles"]])
    case.equal("breaks of 2.3", {("0/0", "f", 5), ("1/0", "f", None)},
               {(break_["compiles"][0], break_["function"], break_["line"]) for break_ in report["graph_breaks"]})
    case.equal("nothing is known of caches in 2.3", None, report["totals"]["cache_misses"])
    case.sound("2.3", report)


# --- recompiles -----------------------------------------------------------------------------------------------------------


def test_refused_in_2_5(case):
    """A compile that the limit forbids has its reasons there and nothing else."""
    w = Writer()
    w.compile(0, 0)
    w.artifact("recompile_reasons", "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", "json", **id_of(0, 1))
    w.compile(1, 0, function="g", line=20)
    report = case.report(w)
    refused = report["compiles"][1]
    case.equal("refused in 2.5", ("0/1", "error", True), (refused["id"], refused["status"], refused["limit_hit"]))
    case.equal("limit hits of 2.5", 1, report["totals"]["recompile_limit_hits"])
    case.equal("nobody saw an error", 0, report["totals"]["errors"])
    case.sound("refused in 2.5", report)


def test_cut_off_in_2_13(case):
    """The timeline says that it began: it was not refused, the trace ends."""
    w = Writer()
    w.compile(0, 0)
    w.event("dynamo", "B", **id_of(0, 1))
    w.artifact("recompile_reasons", "0/0: n == 3", "json", **id_of(0, 1))
    report = case.report(w)
    case.equal("a recompile that is cut off", ("incomplete", False), (report["compiles"][1]["status"], report["compiles"][1]["limit_hit"]))


def test_reasons_after_reset(case):
    """In 2.5 the reasons of a recompile are its first record. After a reset they are not those of the epoch before."""
    w = Writer()
    for sizes in ((4, 5), (6, 7)):
        for number in (0, 1):
            if number:
                w.artifact("recompile_reasons", "0/0: tensor 'x' size mismatch at index 0. expected %d, actual %d" % sizes, "json",
                           **id_of(0, number))
            w.start("f", 3, **id_of(0, number))
            w.record("dynamo_cpp_guards_str", {}, "guards", **id_of(0, number))
    report = case.report(w)
    case.equal("reasons by epoch", [(0, ["5"]), (1, ["7"])],
               [(item["epoch"], [reason["actual"] for reason in item["reasons"]]) for item in report["recompiles"]])


def test_error_on_recompile(case):
    """Only the exception has the reason."""
    w = Writer()
    w.compile(0, 0)
    reason = ("Recompiling function f in /x/model.py:3\n    triggered by the following guard failure(s):\n    guard 0 failures:\n"
              "    - 0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3")
    w.metrics(id=id_of(0, 1), fail_type="RecompileError", fail_reason=reason)
    report = case.report(w)
    case.equal("reason of a RecompileError", [("0/0", "size", "2", "3")],
               [(item["against"], item["class"], item["expected"], item["actual"]) for item in report["recompiles"][0]["reasons"]])


# --- the rest -------------------------------------------------------------------------------------------------------------


def test_kernel_nodes(case):
    """Two maps, and two calls of one kernel, say the same."""
    w = Writer()
    id = w.compile(0, 0)
    w.artifact("inductor_provenance_tracking_node_mappings", json.dumps({"cppCodeToPost": {"k:1": ["add", "mul"], "k:2": ["mul"]}}),
               "json", **id)
    w.artifact("inductor_triton_kernel_to_post_grad_nodes", json.dumps({"k": ["add"]}), "json", **id)
    report = case.report(w)
    case.equal("nodes of a kernel", [["add", "mul"]], [kernel["nodes"] for kernel in report["kernels"]])


def test_unranked_process(case):
    """A process without a rank beside ranks is no rank of its own."""
    folder = case.temp / "ranks"
    folder.mkdir()
    for name, rank in (("a", None), ("rank_0_b", 0), ("rank_1_c", 1)):
        w = Writer(pid=100 + (rank or 9), rank=rank)
        w.compile(0, 0)
        (folder / f"dedicated_log_torch_trace_{name}.log").write_bytes(w.data)
    case.equal("ranks", 2, report_of(case.pt2trace, case.temp / "out", folder)["totals"]["ranks"])


def test_glued(case):
    """A file appended to one that lost its last newline, cut behind each record: also behind a payload that ends in one."""
    w = Writer()
    id = w.compile(0, 0)
    w.artifact("one", "ends with a newline\n", **id)
    w.artifact("two", "does not", **id)
    w.artifact("three", "", **id)
    w.compile(1, 0, function="g", line=20)
    whole = case.report(w)
    wrong = []
    for start in [match.start() for match in re.finditer(rb"^V\d{4} ", w.data, re.MULTILINE)][1:]:
        report = case.report(w.data[:start - 1] + w.data[start:])
        shown = run(case.pt2trace, "show", "--verify", case.path, "one").stdout
        if report["totals"] != whole["totals"] or shown != b"ends with a newline\n":
            wrong.append(f"glued at {start}: {shown!r}, {report['totals']['records']} records")
    case.tap.empty("two files glued", wrong)


def test_show(case):
    """A payload is printed as it is, so that its digest equals the record's."""
    w = Writer()
    payloads = (b"ends with a newline\n", b"does not", b"", b"\n\n", b"\ttab\r\n  \x0c", "ünï\u2028cödé".encode())
    for number, payload in enumerate(payloads):
        w.artifact("x", payload, **id_of(number, 0))
    case.path.write_bytes(w.data)
    wrong = [payload for payload in payloads
             if run(case.pt2trace, "show", case.path, hashlib.md5(payload).hexdigest()).stdout != payload]
    case.equal("show prints payloads as they are", [], wrong)


def main(pt2trace):
    keep(pt2trace)
    tap, pt2trace = Tap(), pathlib.Path(pt2trace).resolve()
    tests = [test for name, test in sorted(globals().items()) if name.startswith("test_")]
    for test in tests:
        with tempfile.TemporaryDirectory(prefix="pt2trace-numbers-") as temp:
            try:
                test(Case(tap, pt2trace, pathlib.Path(temp)))
            except (KeyError, TypeError, IndexError) as error:
                tap.point(test.__name__, False, repr(error))
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    sys.exit(main(sys.argv[1]))
