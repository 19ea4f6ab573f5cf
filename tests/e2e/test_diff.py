#!/usr/bin/env python3
"""`pt2trace diff`: the same is the same, a fix and a regression that were planted are named, two versions of PyTorch.

    test_diff.py PT2TRACE TESTDATA

Prints TAP.
"""

import gzip
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import hostile
from kept_calls import keep
from tap import Tap, run
from writer import Writer

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BREAK = ("Graph break in user code at /x/model.py:{line}\nGraph Break Reason: {type}\n  Explanation: It is so.\n  Hint: Let it be.\n\n"
         "  Developer debug context: none\n\nUser code traceback:\n  File \"/x/model.py\", line {line}, in f\n    {source}\n")
GRAPH = "class GraphModule(torch.nn.Module):\n    def forward(self, s{n}: \"Sym(s{n})\", x: \"f32[s{n}]\"):\n        # File: /x/model.py:{n}\n" \
        "        y = x + {n2}\n        return (y,)\n"


def id_of(frame, number, attempt=0):
    return {"frame_id": frame, "frame_compile_id": number, "attempt": attempt}


NODES = ['a: "f32[3]" = torch.sin(x)', 'add: "f32[3]" = a + 1;  a = None', 'add_1: "f32[3]" = add + 2;  add = None', "return (add_1,)"]
# One node more shifts the numbers of those behind it; then one with another input.
MORE = NODES[:1] + ['mul: "f32[3]" = a * 3', 'add: "f32[3]" = mul + 9;  mul = add = None',
                    'add_1: "f32[3]" = a + 1;  a = None', 'add_2: "f32[3]" = add_1 + 2;  add_1 = None', "return (add_2,)"]
OTHER_INPUT = NODES[:2] + ['add_1: "f32[3]" = a + 2;  add = None', NODES[3]]

# Of three alike one is gone, and the names that are left begin later: what is returned has the name of another node.
ALIKE = ['a: "f32[3]" = torch.sin(x)', 'a_1: "f32[3]" = a + 1', 'a_2: "f32[3]" = a_1 + 1', 'a_3: "f32[3]" = a_2 + 1', "return (a_3,)"]
LATER = ['a: "f32[3]" = torch.sin(x)', 'a_2: "f32[3]" = a + 1', 'a_3: "f32[3]" = a_2 + 1', "return (a_3,)"]


def nodes(lines):
    return "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[3]\"):\n" + "".join(f"        {n}\n" for n in lines)


def trace(folder, breaks=(), seconds=1.0, recompiles=0, graph=(0, 1), text=None):
    """A run of one program: `breaks` are (line, type, source)."""
    w = Writer()
    id = id_of(0, 0)
    w.start("f", 3, **id)
    for line, type_, source in breaks:
        w.artifact("dynamo_graph_break_reason", BREAK.format(line=line, type=type_, source=source), **id)
    w.record("dynamo_output_graph", {"sizes": {}}, text or GRAPH.format(n=graph[0], n2=graph[1]), **id)
    w.metrics(seconds=seconds, id=id, graph_op_count=2)
    for i in range(1, recompiles + 1):
        id = id_of(0, i)
        w.artifact("recompile_reasons", json.dumps(["0/0: n == 7"]), "json", **id)
        w.start("f", 3, **id)
        w.metrics(seconds=0.01, id=id, graph_op_count=2)
    folder.mkdir(parents=True)
    (folder / "dedicated_log_torch_trace_x.log").write_bytes(w.data)
    return folder


class Context:
    def __init__(self, tap, pt2trace, testdata, temp):
        self.tap, self.pt2trace, self.testdata, self.temp = tap, pt2trace, testdata, pathlib.Path(temp)

    def diff(self, a, b, *options):
        return run(self.pt2trace, "diff", *options, a, b)

    def json(self, a, b):
        return json.loads(self.diff(a, b, "--format", "json").stdout)

    def report(self, path, name):
        run(self.pt2trace, "--no-browser", "-q", "-o", self.temp / name, path)
        return self.temp / name / "report.json"


PRINT, OTHER = (5, "Failed to trace builtin operator", "print(x)"), (9, "Data-dependent branching", "if x.sum() > 0:")


def test_planted(context):
    base = trace(context.temp / "base", [PRINT])
    cases = [
        ("nothing changed", dict(breaks=[PRINT]), [], 0),
        ("a fix", dict(), ["1 graph break gone at model.py:5"], 0),
        ("a regression", dict(breaks=[PRINT, OTHER]), ["1 graph break new at model.py:9"], 1),
        ("a line above was added", dict(breaks=[(6, *PRINT[1:])]), [], 0),
        ("more recompiles", dict(breaks=[PRINT], recompiles=2), ["2 recompiles more"], 1),
        ("longer", dict(breaks=[PRINT], seconds=3.0), ["it compiles 2.00 s longer (3.00 s, before 1.00 s)"], 1),
        ("not much longer", dict(breaks=[PRINT], seconds=1.1), [], 0),
        ("symbols of other numbers", dict(breaks=[PRINT], graph=(77, 1)), [], 0),
        ("another graph", dict(breaks=[PRINT], graph=(0, 2)), ["1 graph changed, the first in `f`"], 1),
    ]
    for i, (name, what, verdict, status) in enumerate(cases):
        other = trace(context.temp / f"other{i}", **what)
        found = context.json(base, other)
        context.tap.equal(f"{name}: the verdict", verdict, found["verdict"])
        context.tap.equal(f"{name}: same", not verdict, found["same"])
        done = context.diff(base, other, *(f"--fail-on={what}" for what in ("breaks", "recompiles", "time", "graphs", "errors")))
        context.tap.equal(f"{name}: the exit status", status, done.returncode)
    moved = context.json(base, context.temp / "other3")["graph_breaks"]["moved"]
    context.tap.equal("a break that moved", [(5, 6)], [(m["line_before"], m["line"]) for m in moved])
    lines = context.json(base, context.temp / "other8")["graphs"][0]
    context.tap.equal("the lines of a graph", (["y = x + 1"], ["y = x + 2"]), (lines["before"], lines["after"]))


def test_nodes(context):
    base = trace(context.temp / "nodes", text=nodes(NODES))
    renamed = [n.replace("add_1", "add_7").replace("a,", "a") for n in NODES]
    for name, lines, gone, new in (("numbers of names alone", renamed, [], []),
                                   ("two nodes more: those behind them are the same", MORE, [], MORE[1:3]),
                                   ("a node with another input", OTHER_INPUT, [NODES[2]], [OTHER_INPUT[2]])):
        other = trace(context.temp / name[:8], text=nodes(lines))
        graphs = context.json(base, other)["graphs"]
        context.tap.equal(f"node by node: {name}", (gone, new), (graphs[0]["before"], graphs[0]["after"]) if graphs else ([], []))
        graphs = context.json(other, base)["graphs"]
        context.tap.equal(f"the other way: {name}", (new, gone), (graphs[0]["before"], graphs[0]["after"]) if graphs else ([], []))
    graph, = context.json(*(trace(context.temp / name, text=nodes(lines)) for name, lines in (("alike", ALIKE), ("later", LATER))))["graphs"]
    context.tap.equal("a node is not the other graph's of that name", (ALIKE[3:], LATER[3:]), (graph["before"], graph["after"]))


def left_behind(folder, function="f", file="/x/model.py", line=3, add=1, code=1, guards=("x == 1",), gm="a", outcome="miss",
                type_="Failed to trace builtin operator", version="2.13.0"):
    """A run with all that two compiles are compared in."""
    w, id = Writer(), id_of(0, 0)
    w.start(function, line, file=file, **id)
    w.artifact("dynamo_graph_break_reason", BREAK.replace("/x/model.py", file).replace("in f", f"in {function}").format(
        line=line + 2, type=type_, source="print(x)"), **id)
    w.record("dynamo_output_graph", {"sizes": {}}, GRAPH.format(n=3, n2=add), **id)
    w.record("inductor_output_code", {"filename": "/tmp/c.py"}, f"# AOT ID: ['0_inference']\ndef call(args):\n    return {code}\n", **id)
    w.record("dynamo_cpp_guards_str", {}, "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n" +
             "".join(f"| +- EQUALS_MATCH: {guard}\n" for guard in guards), **id)
    w.artifact(f"fx_graph_cache_{outcome}", json.dumps({"key": gm, "components": [f"[{gm}] gm: {gm}", "[h] fx_kwargs[x]: 1"]}), "json", **id)
    w.metrics(seconds=1.0, id=id, graph_op_count=2, pytorch_version=version)
    folder.mkdir(parents=True)
    (folder / "dedicated_log_torch_trace_x.log").write_bytes(w.data)
    return folder


def test_left_behind(context):
    """Output code, guards, keys of caches; functions that moved; names that another PyTorch gives."""
    base = left_behind(context.temp / "left")

    def found(**change):
        found.number += 1
        return context.json(base, left_behind(context.temp / f"left{found.number}", **change))
    found.number = 0
    other = found(code=2)
    context.tap.equal("other code of the same graph", (["1 graph is the same and its code changed, the first in `f`"], ["return 1"], ["return 2"]),
                      (other["verdict"], other["output_code"][0]["before"], other["output_code"][0]["after"]))
    other = found(code=2, add=7)
    context.tap.equal("of another graph it is no news", (["1 graph changed, the first in `f`"], 1), (other["verdict"], len(other["output_code"])))
    other = found(guards=("x == 1", "y == 2"))
    context.tap.equal("a guard more", (["1 compile has different guards, the first in `f`"], [], ["y == 2"]),
                      (other["verdict"], other["guards"][0]["before"], other["guards"][0]["after"]))
    context.tap.point("a guard that is there twice is no other", found(guards=("x == 1", "x == 1"))["same"])
    other = found(gm="b")["cache_keys"]
    context.tap.equal("the component of a key", [("fx_graph", "gm", "a", "b", 1)],
                      [tuple(k[m] for m in ("layer", "component", "before", "after", "lookups")) for k in other])
    context.tap.equal("of a hit in both nothing is asked", [], context.json(*(left_behind(context.temp / f"hit{gm}", gm=gm, outcome="hit")
                                                                             for gm in "ab"))["cache_keys"])
    for name, change in (("another file", dict(file="/x/layers.py", line=30)), ("another name, with the same graph", dict(function="g"))):
        other = found(**change)
        context.tap.equal(f"a function of {name}: nothing is new or gone", ([], [], [], "f", 1),
                          (other["verdict"], other["graph_breaks"]["new"], other["graph_breaks"]["gone"], other["moved"][0]["name_before"],
                           len(other["graph_breaks"]["moved"])))
    other = found(function="g", file="/x/layers.py", add=7)
    context.tap.point("neither name nor graph: another function", not other["moved"] and len(other["graph_breaks"]["new"]) == 1)
    other = found(type_="Said in other words", version="2.14.0")
    context.tap.equal("another PyTorch calls a break otherwise", (["pytorch is 2.14.0, before 2.13.0"], [PRINT[1]]),
                      (other["verdict"], [b["what_before"] for b in other["graph_breaks"]["renamed"]]))
    other = found(type_="Said in other words")
    context.tap.equal("the same PyTorch: another break", (1, 1), tuple(len(other["graph_breaks"][k]) for k in ("new", "gone")))


def test_parts(context):
    """Two epochs, of which the second recompiles; ranks."""
    w = Writer()
    w.compile(0, 0)
    w.compile(0, 0)
    id = id_of(0, 1)
    w.artifact("recompile_reasons", json.dumps(["0/0: n == 7"]), "json", **id)
    w.compile(0, 1)
    folder = context.temp / "epochs"
    folder.mkdir()
    (folder / "dedicated_log_torch_trace_x.log").write_bytes(w.data)
    found = json.loads(run(context.pt2trace, "diff", "--epochs", "1,2", "--format", "json", folder).stdout)
    context.tap.equal("the second epoch recompiles", (["1 recompile more"], f"{folder}, epoch 1"), (found["verdict"], found["before"]))
    resets = context.testdata / "resets" / "trace"
    context.tap.point("two epochs that are the same", b"No differences" in run(context.pt2trace, "diff", "--epochs", "1,4", resets).stdout)
    same, shape = (context.testdata / name / "trace" for name in ("ranks_same", "ranks_guards"))
    done = run(context.pt2trace, "diff", "--ranks", "0,1", "--fail-on", "any", same)
    context.tap.equal("two ranks that are the same", (0, True), (done.returncode, b"No differences" in done.stdout))
    context.tap.equal("rank 1 of two runs", 0, run(context.pt2trace, "diff", "--ranks", "1,1", "--fail-on", "any", same, same).returncode)
    context.tap.equal("two that are not", 1, run(context.pt2trace, "diff", "--ranks", "0,1", "--fail-on", "any", shape).returncode)
    report = context.report(same, "ranks-report")
    for options, status, words in ((("--epochs", "1,9", resets), 4, b"nothing was compiled in epoch 9"), (("--ranks", "0,9", same), 4, b"on rank 9"),
                                   (("--epochs", "0,1", resets), 2, b"1 or more"), (("--ranks", "0", same), 2, b"two numbers"),
                                   (("--ranks", "0,1", report), 2, b"cannot be split")):
        done = run(context.pt2trace, "diff", *options)
        context.tap.point(f"{' '.join(options[:2])}: {words.decode()}", done.returncode == status and words in done.stderr and not done.stdout, done)


def test_noise(context):
    """Launches of one program (`run --repeats`) differ by more than the two runs: nothing is said of the time."""
    short, long = (context.report(trace(context.temp / f"lasts{s}", seconds=s), f"took{s}") for s in (1.0, 3.0))
    context.tap.equal("without repeats", ["it compiles 2.00 s longer (3.00 s, before 1.00 s)"], context.json(short, long)["verdict"])
    report = json.loads(short.read_text())
    for most, said in ((3.5, 0), (2.0, 1)):
        report["experiment"] = {"trials": [{"name": "base", "compile_wall_s": 1.0}, {"name": "base.2", "compile_wall_s": most},
                                           {"name": "backend-eager", "compile_wall_s": 90.0}]}
        short.write_text(json.dumps(report))
        found = context.json(short, long)
        context.tap.equal(f"repeats of 1 s and {most} s", (said, most - 1.0), (len(found["verdict"]), found["compile_time"]["noise_s"]))


def test_sides(context):
    """Two ranks of one run."""
    a, b = (sorted((context.testdata / "ranks_shape" / "trace").glob(f"*rank_{n}_*"))[0] for n in (0, 1))
    done = context.diff(a, b)
    context.tap.point("two ranks, one of which has another shape", done.returncode == 0 and b"No differences" not in done.stdout, done.stdout)


def test_real(context):
    for name in ("graph_breaks", "recompiles", "errors", "ranks_same", "caches_cold"):
        folder = context.testdata / name / "trace"
        done = context.diff(folder, folder, "--fail-on", "any")
        context.tap.equal(f"{name}: one trace is the same as itself", (0, True), (done.returncode, b"No differences" in done.stdout))
    old, new = (context.testdata / name / "trace" for name in ("graph_breaks-2.6.0", "graph_breaks"))
    found = context.json(old, new)
    context.tap.equal("two versions: PyTorch is named", ["pytorch"], [e["name"] for e in found["environment"] if e["name"] == "pytorch"])
    context.tap.equal("two versions: functions of both are matched", 0, sum(1 for f in found["functions"] if None in
                      (f["seconds_before"], f["seconds_after"]) and f["compiles_before"] and f["compiles_after"]))
    cold, warm = (context.testdata / name / "trace" for name in ("caches_cold", "caches_warm"))
    context.tap.point("cold and warm caches: hits", any(c["name"] == "cache_hits" and c["after"] > c["before"] for c in context.json(cold, warm)["caches"]))
    hello = context.testdata / "hello" / "trace"
    context.tap.point("other programs are called so", any("different programs" in s for s in context.json(hello, new)["verdict"]))
    report = context.report(new, "report")
    texts = {"after": "", "graphs": [], "output_code": [], "guards": [], "verdict": []}
    context.tap.equal("a report.json is compared like its trace, but for texts of compiles", {**context.json(old, new), **texts},
                      {**context.json(old, report), **texts})


def test_outputs(context):
    folder = context.temp / "hostile"
    folder.mkdir()
    hostile.write(folder)
    hello = context.testdata / "hello" / "trace"
    for format in ("text", "markdown", "json", "html"):
        done = context.diff(hello, folder, "--format", format)
        context.tap.equal(f"a hostile trace as {format}", (0, b""), (done.returncode, done.stderr))
    markdown = context.diff(hello, folder, "--format", "markdown").stdout.decode()
    context.tap.empty("markdown: nothing of a trace is markup", re.findall(r"<script[^`\n]*$", re.sub(r"(`+).*?\1", "", markdown), re.M))
    for options, status in ((("--format", "pdf"), 2), (("--fail-on", "luck"), 2)):
        context.tap.equal(f"usage: {' '.join(options)}", status, context.diff(hello, hello, *options).returncode)
    page = context.diff(hello, folder, "--format", "html").stdout.decode()
    context.tap.empty("html: nothing of a trace is markup", re.findall(r"<(?:img|svg|script|iframe)|\\son\\w+=", re.sub(r"<style>.*?</style>", "", page, flags=re.S)))
    page = context.diff(context.temp / "nodes", context.temp / "two node", "--format", "html").stdout.decode()
    context.tap.point("html: the verdict and the nodes", "1 graph changed" in page and "mul: &quot;f32[3]&quot; = a * 3" in page, page[-3000:])
    context.tap.equal("one PATH", 2, run(context.pt2trace, "diff", hello).returncode)
    context.tap.equal("a PATH that is not there", 3, context.diff(hello, context.temp / "nowhere").returncode)
    out = context.temp / "diff.md"
    context.diff(hello, hello, "--format", "markdown", "-o", out)
    context.tap.point("a file", out.read_text().startswith("**No differences**"))


# --- the page, which compares any two graphs of a report in its script ---

NODE = re.compile(r'^ {8}(\w+): "[^"]*" = (.*)$', re.M)
NUMBERED = re.compile(r'\b([a-z]\w*?)_(\d+)\b(?=[^"]*(?:"[^"]*"[^"]*)*$)')
GRAPHS_MAX = 200


def graphs_of(testdata):
    """The distinct graphs of Dynamo in all traces."""
    found = {}
    for path in sorted(testdata.glob("*/trace/*.log*")):
        data = (gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()).decode(errors="replace")
        for record in re.findall(r'"dynamo_output_graph".*\n((?:\t.*\n)+)', data):
            found[re.sub(r"^\t", "", record, flags=re.M)] = None
    return list(found)


def without_a_node(text, choose):
    """A node is gone, and what took it takes what it took first."""
    nodes = list(NODE.finditer(text))
    names = set(re.findall(r"^ {8}(\w+)(?:: .*)? = ", text, re.M)) | set(re.findall(r'\b([A-Za-z_]\w*)(?=: ")', text))
    for node in choose.sample(nodes, len(nodes)):
        inputs = [w for w in re.findall(r"\w+", node[2].split(";")[0]) if w in names and w != node[1]]
        if inputs:
            return text[:node.start()] + re.sub(rf"\b{node[1]}\b", inputs[0], text[node.end() + 1:])
    return text


def named(lines):
    return sorted(re.match(r"(\w*)", "" if line.startswith("return") else line)[1] for line in lines)


def test_page_agrees(context):
    choose, graphs = random.Random(1), graphs_of(context.testdata)
    pairs = []
    for text in choose.sample(graphs, min(GRAPHS_MAX, len(graphs))):
        pairs += [(text, text), (text, without_a_node(text, choose)), (text, NUMBERED.sub(lambda m: f"{m[1]}_{int(m[2]) + 1}", text))]
    page = json.loads(subprocess.run(["node", SOURCE / "tests/browser/graphs.mjs", SOURCE / "templates"], input=json.dumps(pairs), text=True,
                                     stdout=subprocess.PIPE, check=True).stdout)
    other_verdict, other_nodes, differ = [], [], 0
    for i, ((before, after), found) in enumerate(zip(pairs, page)):
        graphs = context.json(trace(context.temp / f"p{i}", text=before), trace(context.temp / f"q{i}", text=after))["graphs"]
        here = [named(graphs[0][side]) if graphs else [] for side in ("before", "after")]
        there = [sorted(found[side]) for side in ("gone", "added")]
        differ += any(here)
        if any(here) != any(there):
            other_verdict.append((here, there, before[:2000]))
        elif here != there:
            other_nodes.append((here, there))
    context.tap.point("pairs that differ and pairs that do not", 0 < differ < len(pairs), differ, len(pairs))
    context.tap.empty("of two graphs the page says that they differ where diff does", other_verdict)
    # Where several nodes are alike, each may call another of them the one that is gone.
    context.tap.point("and by the same nodes in 98 of 100", len(other_nodes) * 50 <= len(pairs), len(other_nodes), *other_nodes[:5])


def main(pt2trace, testdata):
    keep(pt2trace)
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-diff-") as temp:
        context = Context(tap, pathlib.Path(pt2trace).resolve(), pathlib.Path(testdata), temp)
        for test in (test_planted, test_nodes, test_left_behind, test_parts, test_noise, test_sides, test_real, test_outputs, test_page_agrees):
            test(context)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
