#!/usr/bin/env python3
"""The samples of compiler output that texts about torch.compile print, read as what the prose around them says. Prints TAP.

usage: test_seeds.py PT2TRACE SHARED

The texts lie beside the repository, where they are there at all. A sample is known by the digest of its lines without their
common indentation; each is read as it stands (indented, as people paste it) and without the indentation. A sample that no
row below knows fails the test, unless nothing in it is output of the compiler.
"""

import hashlib
import json
import pathlib
import sys
import tempfile
import textwrap

from program import Program
from tap import Tap

HOME = "/data/users/williamwen/pytorch/"
FLOATS = [8.5, 7.5, 6.5, 5.5, 4.5, 3.5, 2.5, 1.5]
RATES = ["0.004782969000000002", "0.005314410000000002", "0.005904900000000002", "0.006561000000000002",
         "0.007290000000000001", "0.008100000000000001", "0.009000000000000001", "0.01"]


def graph_break(type_, line, function, source, file=HOME + "playground.py"):
    return {"type": type_, "file": file, "line": line, "function": function, "source": source, "count": 1}


def reason(against, class_, source, expected, actual):
    return {"against": against, "class": class_, "source": source, "expected": expected, "actual": actual}


def recompile(id, name, file, line, limit_hit, reasons):
    return {"compile": id, "frame": {"name": name, "file": HOME + file, "line": line}, "limit_hit": limit_hit, "reasons": reasons}


def values(frame, source, all_):
    return [reason(f"{frame}/{7 - i}", "float", source, str(value), None) for i, value in enumerate(all_)]


SIZE = "L['x']"
RATE = "L['self'].param_groups[0]['lr']"
SYMBOL = {"symbol": "s0", "source": "L['x'].size()[0]", "hint": "3", "range": "[2, int_oo]", "file": "playground.py", "line": 5}
TYPE_ERROR = ("Unsupported: TypeError <built-in method sin of type object at 0x7fd6fd764600>: sin() takes 1 positional argument "
              "but 2 were given")

# By digest, what each sample contains: "others" are its lines that are not the compiler's (the command), "texts" those that are
# of no compile; what is not named is empty. None: no output of the compiler, but a command or a program.
SAMPLES = {
    # Terminology: graph breaks, guards, recompilation, dynamic shapes
    "4f310d6cca8c": {"graph_breaks": [graph_break("copy.deepcopy TensorVariable()", 7, "fn", "y = copy.deepcopy(x)")],
                     "texts": [("dynamo_graph_break_reason", 28)]},
    "a4fb4513f58a": {"texts": [("dynamo_cpp_guards_str", 10)]},
    "b0be7dbdab13": {"recompiles": [recompile("0/1", "fn", "playground.py", 3, False, [reason("0/0", "size", SIZE, "3", "4")])]},
    "94d248e87abd": {"symbols": [SYMBOL], "texts": [("dynamo_log", 3)]},
    "7202eb165c2f": None,
    "f13cc4c7c57c": None,
    # Data-dependent operations, printing (no break, as it is reordered), incorrect code
    "c3929fc1812a": {"graph_breaks": [graph_break("Data-dependent jump", 6, "fn", "if y > 0:"),
                                      graph_break("Unsupported: Tensor.item", 7, "torch_dynamo_resume_in_fn_at_6",
                                                  "return x + y.item()")],
                     "texts": [("dynamo_graph_break_reason", 6), ("dynamo_graph_break_reason", 27)]},
    "94ecafddd2c3": None,
    "ab0e3d9a2ff3": {"graph_breaks": [graph_break(TYPE_ERROR, 5, "fn", "y = torch.sin(x, x)")],
                     "texts": [("dynamo_graph_break_reason", 6)]},
    "8d6ee5198735": {"recompiles": [{"reasons": [reason(None, "size", SIZE, "3", "4")]}], "others": 0},
    # The limit, constants, learning rates
    "877b92876f99": {"recompiles": [recompile("0/8", "fn", "playground.py", 5, True, [reason("0/0", "size", SIZE, "1", "9")])]},
    "606f96a6aba8": {"recompiles": [recompile("0/8", "fn", "playground.py", 3, True, values(0, "L['c']", FLOATS))]},
    "d822bb599652": {"recompiles": [recompile("3/8", "step", "torch/optim/adam.py", 189, True, values(3, RATE, RATES))]},
    # What Dynamo is tracing, and a debugger
    "0098c3074a40": {"texts": [("trace_source", 30), ("dynamo_output_graph", 12)]},
    "a4389d5051e5": {"others": 28},
    # A warning of PyTorch 2.0
    "WARNING": {"graph_breaks": [graph_break("print", None, None, None, None)], "texts": [("dynamo_graph_break_reason", 1)],
                "others": 0},
}
LISTS = ("graph_breaks", "recompiles", "errors", "symbols")


def blocks(text):
    """What stands indented below a line of two colons."""
    lines = iter(text.split("\n") + ["end"])
    for line in lines:
        if line.strip() != "::":
            continue
        block = []
        for line in lines:
            if line.strip() and not line.startswith("    "):
                break
            block.append(line)
        yield "\n".join(block).strip("\n") + "\n"


def samples(texts):
    """(digest, sample) of all that are printed."""
    for text in texts:
        for block in blocks(text):
            yield hashlib.sha256(textwrap.dedent(block).rstrip("\n").encode()).hexdigest()[:12], block
        for line in text.split("\n"):
            if line.startswith("[WARNING] torch."):
                yield "WARNING", line + "\n"


def part(expected, found):
    """Of what was found, only what is expected to be there in each item."""
    return [{key: item[key] for key in one if key in item} if isinstance(item, dict) else item
            for one, item in zip(expected + [{}] * len(found), found)]


def facts(report, expected):
    found = {name: part(expected[name], report[name]) for name in LISTS}
    for items in found["recompiles"]:
        items["reasons"] = [{key: reason[key] for key in ("against", "class", "source", "expected", "actual")}
                            for reason in items.get("reasons") or []]
    found["texts"] = [(artifact["name"], artifact["lines"]) for owner in report["unattributed"] for artifact in owner["artifacts"]
                      if artifact["name"] != "program_output"]
    entry = report["inputs"][0]
    found["others"] = entry["lines"] - entry["lines_understood"]
    return found


def said_of(done, out):
    """Of a text without output of the compiler, which may be refused, or answered as a question about the compiler."""
    if done.returncode:
        return [] if done.returncode == 4 else [done.stderr.decode()]
    report = json.loads((out / "report.json").read_text())
    return [item for name in LISTS for item in report[name]] + [
        finding["title"] for finding in report["findings"] if not finding["title"].startswith("The text shows no error: ")]


def check(tap, program, name, text, row):
    path, out = program.temp / "sample.txt", program.temp / "out"
    path.write_text(text, encoding="utf-8")
    done = program.run("report", "-q", "--no-browser", "--overwrite", "-o", out, path)
    if row is None:
        tap.equal(f"{name}: no output of the compiler", [], said_of(done, out))
        return
    if not tap.point(f"{name}: is read", done.returncode == 0, done.stderr.decode()):
        return
    expected = {**{key: [] for key in (*LISTS, "texts")}, "others": 1, **row}
    tap.equal(f"{name}: says what the prose says", expected, facts(json.loads((out / "report.json").read_text()), expected))


def main(pt2trace, shared):
    tap = Tap()
    folder = pathlib.Path(shared) / "seeds"
    if not folder.is_dir():
        tap.skip("samples of texts", "the texts are not here")
        return tap.end()
    seen = set()
    with tempfile.TemporaryDirectory() as temp:
        program = Program(pt2trace, temp)
        for digest, text in samples(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())):
            seen.add(digest)
            if tap.point(f"{digest}: is known", digest in SAMPLES, text):
                check(tap, program, f"{digest}, without indentation", textwrap.dedent(text), SAMPLES[digest])
                check(tap, program, f"{digest}, as it stands", text, SAMPLES[digest])
    tap.equal("all known samples are there", set(), set(SAMPLES) - seen)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
