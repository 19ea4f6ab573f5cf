#!/usr/bin/env python3
"""`pt2trace show`: guards that failed, patterns, lines of the program, names that are nearly right, and the pager.

    test_show.py PT2TRACE TESTDATA

Prints TAP.
"""

import json
import os
import pathlib
import re
import sys
import tempfile

from kept_calls import keep
from program import Program
from tap import Tap


class Context:
    def __init__(self, tap, program, testdata):
        self.tap, self.program, self.testdata = tap, program, testdata

    def trace(self, name):
        return self.testdata / name / "trace"

    def show(self, name, *words):
        done = self.program.run("show", self.trace(name), *words)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def report(self, name):
        return json.loads(self.program.run("export", "--format", "json", self.trace(name)).stdout)


def failed_guards(context):
    report = context.report("recompiles")
    expected = sorted((reason["against"], reason["text"]) for item in report["recompiles"] for reason in item["reasons"])
    status, text, _ = context.show("recompiles", "guards", "--failed")
    found = sorted(tuple(match) for match in re.findall(r"(?m)^\[(.*?)\] (.*)$", text))
    context.tap.equal("guards that failed are those that recompiles name", [0, expected], [status, found])
    _, text, _ = context.show("recompiles", "0/0", "guards", "--failed")
    context.tap.equal("of one compile", [pair for pair in expected if pair[0] == "0/0"], sorted(re.findall(r"(?m)^\[(.*?)\] (.*)$", text)))
    context.tap.equal("where none failed", 3, context.show("hello", "guards", "--failed")[0])
    context.tap.equal("--failed only works with guards", 2, context.show("hello", "0/0", "graph", "--failed")[0])


def grep(context):
    _, code, _ = context.show("hello", "0/0", "output_code")
    pattern = r"^import +(torch|math)$"
    expected = [f"{number}: {line}" for number, line in enumerate(code.split("\n"), 1) if re.search(pattern, line)]
    status, text, _ = context.show("hello", "0/0", "--grep", pattern)
    found = [line.partition("inductor_output_code:")[2] for line in text.splitlines() if "inductor_output_code:" in line]
    context.tap.equal("--grep finds lines with their numbers", [0, expected], [status, found])
    context.tap.point("there are some", expected)
    context.tap.point("of one compile alone", all(line.startswith("[0/0]") for line in text.splitlines()))
    context.tap.equal("a pattern that nothing has", 3, context.show("hello", "--grep", "zqx+")[0])
    status, _, complaint = context.show("hello", "--grep", "(")
    context.tap.point("a pattern that is none", status == 2 and "(: Unmatched" in complaint and "grep -E" in complaint, complaint)
    status, text, _ = context.show("transformer", "--grep", ".")
    context.tap.point("the answer is bounded, and says so", len(text.splitlines()) == 2001 and "more than 2000 lines" in text, len(text.splitlines()))
    context.tap.equal("--rank is heeded", 3, context.show("dist2", "--rank", "7", "--grep", ".")[0])


def places(context):
    report = context.report("graph_breaks")
    graph_break = next(item for item in report["graph_breaks"] if item["line"])
    place = f"{pathlib.Path(graph_break['file']).name}:{graph_break['line']}"
    status, text, _ = context.show("graph_breaks", place)
    context.tap.point("a line has its graph breaks", status == 0 and graph_break["type"][:30] in text and f"[{graph_break['compiles'][0]}]" in text, text)
    finding = next(item for item in report["findings"] if (item["file"], item["line"]) == (graph_break["file"], graph_break["line"]))
    context.tap.point("and its findings", finding["id"] in text, text)
    frame = next(item for item in context.report("recompiles")["compiles"] if item["recompile"])["frame"]
    _, text, _ = context.show("recompiles", f"{pathlib.Path(frame['file']).name}:{frame['line']}")
    context.tap.point("the first line of a function has its compiles and recompiles", "which begins here" in text and "did not fit" in text, text)
    status, _, complaint = context.show("graph_breaks", f"x{place}")
    context.tap.point("a file of another name is not meant", status == 3 and "nothing is known about" in complaint, complaint)


def names(context):
    exact, part = context.show("hello", "0/0", "fx_graph_runnable"), context.show("hello", "0/0", "graph_runn")
    context.tap.equal("part of one name stands for it", exact, part)
    status, _, complaint = context.show("hello", "0/0", "outptu_code")
    context.tap.point("a name that is nearly right is proposed", status == 3 and "did you mean output_code?" in complaint, complaint)
    status, _, complaint = context.show("hello", "0/0", "zzzzzzzz")
    context.tap.point("nothing is proposed for what is far from all", status == 3 and "Is it" not in complaint, complaint)


def functions(context):
    compiles = [item["id"] for item in context.report("recompiles")["compiles"] if item["frame"]["name"] == "dtypes"]
    status, text, _ = context.show("recompiles", "dtypes")
    context.tap.equal("the name of a function has its compiles", [0, compiles], [status, re.findall(r"(?m)^\[(\d+/\d+)\]", text)])
    context.tap.point("there are several", len(compiles) > 1, compiles)
    context.tap.equal("part of the name does", text, context.show("recompiles", "dtyp")[1])
    context.tap.equal("... also where names of artifacts have it", context.show("graph_breaks", "branches_on_data"),
                      context.show("graph_breaks", "branches_on"))
    status, _, complaint = context.show("recompiles", "dtpyes")
    context.tap.point("a name that is nearly right is proposed", status == 3 and "did you mean dtypes?" in complaint, complaint)


def pager(context):
    """The terminal of the tests has no height of its own, so it is given one."""
    marker = {"PAGER": "cat >/dev/null; echo PAGED", "TERM": "xterm"}
    _, paged = context.program.run_in_terminal("show", context.trace("hello"), "0/0", "output_code", env={**os.environ, **marker}, height=10)
    context.tap.equal("long output goes through PAGER", b"PAGED", paged.strip())
    _, short = context.program.run_in_terminal("show", context.trace("hello"), env={**os.environ, **marker}, height=50)
    context.tap.point("short output does not", b"PAGED" not in short and b"0/0" in short, short)
    _, off = context.program.run_in_terminal("show", context.trace("hello"), "0/0", "output_code", env={**os.environ, "PAGER": ""}, height=10)
    context.tap.point("an empty PAGER is none", b"import torch" in off, off[:100])
    done = context.program.run("show", context.trace("hello"), "0/0", "output_code", env={**os.environ, **marker})
    context.tap.point("without a terminal there is none", b"PAGED" not in done.stdout and b"import torch" in done.stdout)


def main(pt2trace, testdata):
    keep(pt2trace)
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-show-") as temp:
        context = Context(tap, Program(pt2trace, temp), pathlib.Path(testdata).resolve())
        for test in (failed_guards, grep, places, names, functions, pager):
            test(context)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
