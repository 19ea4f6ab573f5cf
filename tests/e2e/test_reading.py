#!/usr/bin/env python3
"""What a reader sees, in the summary, on the page and in report.json: each point was once wrong, missing or misleading.

    test_reading.py PT2TRACE

Prints TAP.
"""

import html.parser
import json
import os
import pathlib
import re
import sys
import tempfile

from kept_calls import keep
from tap import Tap, run
from writer import Writer

GPU = """
import os
os.environ['TORCH_LOGS'] = 'graph_breaks'
# torch version: 2.8.0a0+git87f8139
# torch cuda version: 12.0
# torch git version: 87f813999db2e55e9e1313ff4158c929340f4d9c
# GPU Hardware Info: 
# NVIDIA H100 : 8 
class Repro:
"""
FAKE = ("RuntimeError when making fake tensor call\n"
        "  Explanation: Dynamo failed to run FX node with fake tensors: call_function matmul(*(x, y), **{}): got "
        "RuntimeError('a and b must have same reduction dim')\n  Hint: Run it in eager mode.\n")
PRINT = ("Failed to trace builtin operator\n  Explanation: Dynamo does not know how to trace builtin operator `print` "
         "with argument types ['str']\n  Hint: Do not.\n")


class Page(html.parser.HTMLParser):
    """The text of each section as one line, the ids, and the links within the page. Scripts and styles are left out."""

    def __init__(self, text):
        super().__init__()
        self.sections, self.ids, self.links, self.name, self.skip = {}, [], [], "top", 0
        self.feed(text)
        self.sections = {name: " ".join("".join(parts).split()) for name, parts in self.sections.items()}

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.skip += tag in ("script", "style")
        if tag in ("td", "th", "dt", "dd", "li", "p", "b"):
            self.handle_data(" ")
        if tag == "section":
            self.name = attrs["id"]
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a" and attrs.get("href", "").startswith("#"):
            self.links.append(attrs["href"][1:])

    def handle_endtag(self, tag):
        self.skip -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.skip:
            self.sections.setdefault(self.name, []).append(data)


class Report:
    """What pt2trace makes of one or several traces."""

    def __init__(self, tap, pt2trace, folder, *writers):
        self.tap, self.folder = tap, folder
        trace = folder / "trace"
        trace.mkdir(parents=True)
        for i, writer in enumerate(writers):
            (trace / f"dedicated_log_torch_trace_{i}.log").write_bytes(writer.data)
        done = run(pt2trace, "report", "--no-browser", "-o", folder / "out", trace)
        self.summary = done.stdout.decode()
        self.alone = run(pt2trace, "summary", "--verify", trace).stdout.decode()
        self.json = json.loads((folder / "out" / "report.json").read_text(encoding="utf-8"))
        self.page = Page((folder / "out" / "index.html").read_text(encoding="utf-8"))
        self.findings = self.json["findings"]

    def finding(self, start):
        """The finding whose id starts like this; {} when there is none."""
        return next((finding for finding in self.findings if finding["id"].startswith(start)), {})

    def has(self, name, text, where):
        self.tap.point(name, text in where, f"no {text!r} in:", *re.findall(".{1,200}", where))

    def lacks(self, name, text, where):
        self.tap.point(name, text not in where, f"{text!r} in:", *re.findall(".{1,200}", where))


def id_of(frame, number, attempt=0):
    return {"frame_id": frame, "frame_compile_id": number, "attempt": attempt}


def again(w, frame, number, function, line, reason, **fields):
    """A compile that another one of the same function could not serve."""
    w.artifact("recompile_reasons", json.dumps([f"{frame}/{number - 1}: {reason}"]), "json", **id_of(frame, number))
    w.compile(frame, number, function=function, line=line, co_name=function, co_filename="/x/model.py", co_firstlineno=line,
              **fields)


def fails(w, frame, kind, message, number=0, line=3, **fields):
    id = id_of(frame, number)
    w.event("dynamo", "B", **id)
    w.start("f", line, **id)
    w.event("dynamo", "E", **id)
    w.metrics(id=id, fail_type=kind, fail_reason=message, **fields)


# --- findings ---------------------------------------------------------------------------------------------------------


def two_changes_of_one_function():
    w = Writer()
    w.compile(0, 0, function="forward", line=20)
    again(w, 0, 1, "forward", 20, "tensor 'ids' size mismatch at index 1. expected 32, actual 48")
    again(w, 0, 2, "forward", 20, "tensor 'ids' size mismatch at index 0. expected 2, actual 3")
    w.compile(1, 0, function="other", line=30)
    again(w, 1, 1, "other", 30, "tensor 'ids' dtype mismatch. expected float, actual double")
    return w


def test_recompiles(report):
    found = report.finding("recompile-size")
    report.tap.equal("both changes are named", "`forward` recompiled twice: dimension 1 of `ids` went from 32 to 48; "
                     "then dimension 0 of `ids` went from 2 to 3", found["title"])
    report.tap.equal("both can be pasted", "torch.compiler.config.dynamic_sources = \"L['ids']:1,L['ids']:0\"", found["paste"])
    report.tap.equal("another change is another finding", ["0/1", "0/2"], found["compiles"])
    report.has("and stands for itself", "`other` recompiled once: `ids` went from", report.summary)
    report.has("the compile says why it was made", "Compiled again: dimension 0 of ids went from 2 to 3",
               report.page.sections["compiles"])


def sizes_that_stay():
    w = Writer()
    w.compile(0, 0)
    again(w, 0, 1, "f", 3, "tensor 'x' size mismatch at index 0. expected 1, actual 0")
    return w


def test_sizes_that_stay(report):
    found = report.finding("recompile-small-size")
    report.lacks("mark_dynamic does not help against sizes 0 and 1", "mark_dynamic", found["paste"] or "")
    report.has("it says so", "PyTorch compiles sizes of 0 and 1", found["fix"])


def broken():
    w = Writer()
    id = id_of(0, 0)
    w.event("dynamo", "B", **id)
    w.start("f", 3, **id)
    w.artifact("dynamo_graph_break_reason", "Graph break in user code at /x/model.py:4\nGraph Break Reason: " + PRINT +
               "\nUser code traceback:\n  File \"/x/model.py\", line 4, in f\n    print(x)\n", **id)
    w.event("dynamo", "E", **id)
    w.metrics(id=id, graph_op_count=3, guard_count=2)
    id = id_of(1, 0)
    w.start("g", 9, **id)
    w.artifact("dynamo_graph_break_reason",
               "Graph break in user code at /opt/lib/python3.11/site-packages/torch/optim/optimizer.py:79\n"
               "Graph Break Reason: Unsupported method call\n  Explanation: It cannot.\n  Hint: Avoid it.\n"
               "\nUser code traceback:\n  File \"/x/model.py\", line 10, in g\n    opt.step()\n"
               "  File \"/opt/lib/python3.11/site-packages/torch/optim/optimizer.py\", line 79, in _use_grad\n    x()\n", **id)
    w.metrics(id=id)
    return w


def test_breaks(report):
    own, torchs = report.finding("break-print"), report.finding("break-optimizer")
    report.tap.equal("a title does not repeat the place", "Graph break: `print(…)`", own["title"])
    report.has("printing has its own advice", "reorderable_logging_functions.add(print)", own["paste"])
    report.tap.equal("a break inside PyTorch stands at the program's line", ("Graph break: PyTorch's optimizer", "/x/model.py", 10),
                     (torchs["title"], torchs["file"], torchs["line"]))
    report.lacks("and does not ask to change PyTorch", "Avoid it", torchs["fix"])
    report.has("the entry begins with the user's line", "model.py:10 in g inside optimizer.py:79 _use_grad",
               report.page.sections["breaks"])
    report.has("no blank before the full stop", "Hit in [0/0].", report.page.sections["breaks"])


def failing():
    w = Writer()
    fails(w, 0, "TorchRuntimeError", FAKE)
    fails(w, 1, "BackendCompilerFailed", "backend='mine' raised:\nValueError: it broke")
    w.artifact("fx_graph_runnable", "x = 1\nclass Repro:\n", **id_of(2, 0))
    fails(w, 2, "InductorError", "LoweringException: no")
    fails(w, 3, "Unsupported", PRINT)
    w.compile(4)
    fails(w, 4, "RecompileError", "Recompiling function f in /x/model.py:3\n    triggered by the following guard "
          "failure(s):\n    - 4/0: tensor 'x' size mismatch at index 0. expected 2, actual 3", 1)
    return w


def test_errors(report):
    titles = [finding["title"] for finding in report.findings]
    errors = {error["compile"]: error for error in report.json["errors"]}
    report.has("what an operator said is the headline", "RuntimeError('a and b must have same reduction dim')",
               "\n".join(titles))
    report.has("an introducing line is joined with the next", "backend='mine' raised: ValueError: it broke",
               "\n".join(titles))
    report.has("it failed in the backend", "Failed in the backend.", "\n".join(finding["detail"] or "" for finding in
                                                                               report.findings))
    report.lacks("no graph to run alone, no command for it", "repro.py", "\n".join(errors["1/0"]["next"]))
    command = next((finding["paste"] for finding in report.findings if finding["compiles"] == ["2/0"]), None) or ""
    report.tap.point("the command runs the graph that failed",
                     re.fullmatch(r"pt2trace show \S+\.log [0-9a-f]{32} > repro\.py && python repro\.py", command), command)
    report.has("a graph break that cannot be resumed has the advice of the break", "Printing stops the graph",
               errors["3/0"]["next"][0])
    report.has("a forbidden recompile names the setting", "error_on_recompile", "\n".join(errors["4/1"]["next"]))
    report.has("and why it came", "4/0: tensor 'x' size mismatch", report.page.sections["findings"])
    report.lacks("it is named once", "`f` recompiled", "\n".join(titles))


def bypassed():
    w = Writer()
    id = w.compile()
    for name in ("aotautograd_cache_bypass", "fx_graph_cache_bypass"):
        w.artifact(name, json.dumps({"cache_bypass_reason": "Unsupported post grad custom pass",
                                     "cache_bypass_exception_type": "BypassFxGraphCache"}), "json", **id)
    return w


def test_bypass(report):
    report.tap.equal("one reason for two caches is one finding",
                     "The AOTAutograd and FX graph caches were bypassed: Unsupported post grad custom pass",
                     report.finding("cache-bypass")["title"])
    report.tap.equal("of one compile", 1, report.finding("cache-bypass")["cost"]["compiles"])


# --- the summary ------------------------------------------------------------------------------------------------------


def on_a_gpu():
    w = Writer()
    id = w.compile(python_version="3.10.15 (main, Oct 3 2024)", pytorch_version=None, cuda_version="12.0",
                   function="\u53d8\u6362")
    w.compile(1, function="plain", python_version="3.10.15 (main, Oct 3 2024)", pytorch_version=None)
    w.artifact("fx_graph_runnable", GPU, **id)
    w.artifact("fx_graph_cache_miss", json.dumps({"key": "k", "components": ["a"]}), "json", **id)
    return w


def test_summary(report):
    report.has("versions are whole, and taken from the graph where nothing else has them",
               "PyTorch 2.8.0a0+git87f8139, Python 3.10.15, CUDA 12.0, 8x NVIDIA H100", report.summary)
    report.tap.equal("as in report.json", ("2.8.0a0+git87f8139", "NVIDIA H100 : 8"),
                     (report.json["environment"]["pytorch"], report.json["environment"].get("gpu")))
    report.has("one miss is a miss", "0 hits, 1 miss, 0 bypasses", report.summary)
    rows = [line for line in report.summary.split("\n") if "model.py:3" in line]
    report.tap.equal("wide characters take two columns", {rows[0].index("model.py") + 2},
                     {row.index("model.py") + 2 * ("\u53d8" in row) for row in rows} if rows else None)


def long_names():
    w = Writer()
    for frame in range(3):
        id = id_of(frame, 0)
        w.start("a_function_with_quite_a_long_name_indeed", 3 + frame, "/x/the_file_has_a_long_name_too.py", **id)
        w.metrics(id=id, graph_op_count=1)
    return w


def test_long_names(report):
    rows = re.findall(r"^ .*\[\d/0\].*$", report.summary, re.MULTILINE)
    report.tap.equal("places are never cut", [f"the_file_has_a_long_name_too.py:{line}" for line in (3, 4, 5)],
                     sorted(row.split()[-1] for row in rows))
    report.tap.empty("no row is wider than 80 columns", [row for row in rows if len(row) > 80])


def fixed_sizes():
    w = Writer()
    id = w.compile()
    w.record("create_symbol", {"symbol": "s0", "val": "4", "vr": "[2, int_oo]", "source": "L['x'].size()[0]",
             "user_stack": [], "stack": []}, **id)
    w.record("symbolic_shape_specialization", {"symbol": "s0", "sources": ["L['x'].size()[0]"], "value": "4",
             "reason": "range_refined_to_singleton", "user_stack": [w.frame(4, "f", loc="x.view(4)")], "stack": []}, **id)
    w.record("guard_added", {"expr": "Eq(s0, 3)", "prefix": "eval", "symbol_to_sources": {"s0": "L['x'].size()[0]"},
                             "user_stack": [w.frame(5, "f", loc="if x.shape[0] == 3")], "stack": []})
    w.record("missing_fake_kernel", {"op": "mine.foo.default"})
    return w


def test_fixed_sizes(report):
    def titles(text):
        return text.split("Where the time went")[0].split("Findings")[1]

    report.tap.equal("`summary` finds what `report` finds", titles(report.summary), titles(report.alone))
    report.has("draft export: a condition that only the example meets", "The exported program is only valid if `x.shape[0] == 3`",
               report.summary)
    report.tap.equal("in report.json too", ["guard", "missing_fake_kernel"],
                     [issue["kind"] for issue in report.json["export_issues"]])
    report.has("what the symbol is", "Eq(s0, 3) where s0 = L['x'].size()[0]", report.page.sections["shapes"])
    report.has("the fake kernel can be pasted", '@torch.library.register_fake("mine::foo")', report.summary)
    report.has("reasons are words", "a condition left only this value", report.page.sections["shapes"])
    report.has("a compile has its sizes", "Dynamic sizes: 1 symbol", report.page.sections["compiles"])


# --- the page ---------------------------------------------------------------------------------------------------------


def trained():
    """A compile with a backward graph, and what belongs to neither."""
    w = Writer()
    id = w.compile(entire_frame_compile_time_s=0.1, stack_trace=["Line: 3, Name: f, Filename: /x/model.py"])
    w.event("compile_fx.<locals>.fw_compiler_base", "B", **id)
    w.record("inductor_output_code", {"filename": "/tmp/cache/fw.py"}, "forward", **id)
    w.event("compile_fx.<locals>.fw_compiler_base", "E", **id)
    w.event("compile_fx.<locals>.bw_compiler", "B", **id)
    w.record("inductor_output_code", {"filename": "/tmp/cache/bw.py"}, "backward", **id)
    w.ms += 50
    w.event("compile_fx.<locals>.bw_compiler", "E", **id)
    w.artifact("inductor_output_code_after", "late", **id)
    w.artifact("triton_kernel_info", json.dumps({
        "triton_poi_fused_0": {"autotune_cache_state": "miss", "num_configs": 2, "compile_time_us": 1739358},
        "triton_per_fused_1": {"autotune_cache_state": "only 1 config", "compile_time_us": 20000}}), "json", **id)
    w.event("CUDAGraphTreeManager.run_eager", "B")
    w.ms += 500
    w.event("CUDAGraphTreeManager.run_eager", "E")
    w.record("inductor_pre_grad_graph", {}, "graph()", stack=[w.frame(7, "<module>", loc="aoti_compile(m)"),
             w.frame(3, "trace", "/opt/lib/python3.11/site-packages/torch/_inductor/compile_fx.py")])
    return w


def test_page(report):
    page, (compile_,) = report.page.sections, report.json["compiles"]
    code = [item for item in compile_["artifacts"] if item["name"] == "inductor_output_code"]
    report.tap.equal("output code says what it is of", [False, True], [item.get("backward") for item in code])
    report.tap.equal("nothing after it does", [False], [item.get("backward") for item in compile_["artifacts"]
                                                         if item["name"].endswith("_after")])
    report.has("the page marks it", "backward inductor_output_code bw.py", page["compiles"])
    report.lacks("not the other", "backward inductor_output_code fw.py", page["compiles"])
    report.has("one line is a line", "7 B, 1 line", page["compiles"])
    report.lacks("never `1 lines`", "1 lines", " ".join(page.values()))
    report.lacks("never `1 frames`", "1 frames", " ".join(page.values()))
    report.has("two names of one time are one row", "whole compile 100 ms duration_us entire_frame_compile_time_s",
               page["compiles"])
    report.lacks("the stack is shown once", "Line: 3, Name: f", page["compiles"])
    report.has("kernels have their compile time", "triton_poi_fused_0 triton 1.74 s 2 configurations, cache miss", page["code"])
    report.has("and what autotuning did", "triton_per_fused_1 triton 20 ms 1 configuration", page["code"])
    report.tap.equal("in report.json too", [1.739358, 0.02], [kernel.get("compile_s") for kernel in report.json["kernels"]])
    report.has("CUDA graphs are a phase", "CUDA graphs 501 ms", page["time"])
    report.has("what is done at run time is said", "some of it was spent when the code ran", page["time"])
    stacks = report.json["unattributed"][0].get("stacks", [])
    report.tap.equal("records without an id keep their stack", [["<module>", "trace"]],
                     [[call["function"] for call in stack] for stack in stacks])
    report.has("the page shows the user's call", "model.py:7 aoti_compile(m) (no compile id)", page["stacks"])
    report.tap.equal("ids are unique", len(report.page.ids), len(set(report.page.ids)))
    report.tap.empty("links lead somewhere", sorted(set(report.page.links) - set(report.page.ids)))
    report.tap.point("every artifact of a compile has an anchor", sum(bool(re.fullmatch(r"a-\d+-\d+", id)) for id in
                     report.page.ids) == sum(len(item["artifacts"]) for item in report.json["compiles"] +
                                             report.json["unattributed"]))


def two_ranks():
    writers = [Writer(pid=100 + rank, rank=rank) for rank in (0, 2)]
    for w in writers:
        id = id_of(0, 0)
        w.event("dynamo", "B", **id)
        w.start("f", 3, **id)
        w.artifact("dynamo_graph_break_reason",
                   "Graph break in user code at /x/model.py:4\nGraph Break Reason: " + PRINT, **id)
        w.ms += 1000
        w.event("dynamo", "E", **id)
        w.metrics(id=id)
    return writers


def test_ranks(report):
    page = report.page.sections
    report.tap.equal("a break on all ranks is one entry", 1, page["breaks"].count("Failed to trace"))
    report.has("it names them", "ranks 0, 2", page["breaks"])
    report.tap.equal("report.json keeps them apart", 2, len(report.json["graph_breaks"]))
    report.has("a missing rank is said", "The trace of rank 1 is missing.", page["ranks"])
    report.has("added times are called so", "(2 processes added up)", report.summary)
    report.has("on the page too", "over 2 parallel processes", page["time"])


def clean():
    w = Writer()
    w.compile()
    return w


def test_empty_states(report):
    for section, text in (("breaks", "No graph breaks."), ("recompiles", "No recompiles."),
                          ("errors", "Nothing failed."), ("caches", "No cache lookup is recorded."),
                          ("shapes", "No dynamic shapes."), ("code", "No generated code in this trace."),
                          ("more", "This trace answers everything that a trace can answer.")):
        report.has(f"an empty section says so: {section}", text, report.page.sections[section])
    report.has("every digest", "all checksums OK", report.page.sections["health"])
    report.lacks("no rank, no column for it", "Rank", report.page.sections["ranks"])
    report.has("attempts are counted where there were several", "Frames 1 Graphs 1", report.page.sections["top"])
    tiles = re.findall(r"(\d+) (compiles?|graph breaks?|recompiles?|errors?)\b", report.page.sections["top"])
    totals = report.json["totals"]
    report.tap.equal("the page and report.json say the same",
                     [totals[key] for key in ("compiles", "graph_breaks", "recompiles", "errors")],
                     [int(number) for number, _ in tiles[-4:]])


def logged():
    w = broken()
    w.artifact("fx_graph_runnable", GPU, **id_of(0, 0))
    return w


def test_logged(report):
    report.lacks("what was on is not asked for again", 'TORCH_LOGS="graph_breaks"', report.page.sections["more"])
    report.has("what was not is", "TORCHDYNAMO_VERBOSE=1", report.page.sections["more"])


TESTS = (
    (two_changes_of_one_function, test_recompiles),
    (sizes_that_stay, test_sizes_that_stay),
    (broken, test_breaks),
    (failing, test_errors),
    (bypassed, test_bypass),
    (on_a_gpu, test_summary),
    (long_names, test_long_names),
    (fixed_sizes, test_fixed_sizes),
    (trained, test_page),
    (two_ranks, test_ranks),
    (clean, test_empty_states),
    (logged, test_logged),
)


def main(pt2trace):
    keep(pt2trace)
    tap, pt2trace = Tap(), pathlib.Path(pt2trace).resolve()
    os.environ["LC_ALL"] = "C.UTF-8"  # a terminal for names of any alphabet
    with tempfile.TemporaryDirectory(prefix="pt2trace-reading-") as temp:
        for make, test in TESTS:
            made = make()
            writers = made if isinstance(made, list) else [made]
            test(Report(tap, pt2trace, pathlib.Path(temp, make.__name__), *writers))
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    sys.exit(main(sys.argv[1]))
