#!/usr/bin/env python3
"""What each command prints of small real traces, to the byte. Prints TAP.

usage: test_outputs.py PT2TRACE SOURCE [--write] [NAME...]

Whether an output is true, other tests ask, by what PyTorch itself says. This one notices each line, word and comma that comes
or goes: read the difference of `--write` before you commit it. tests/cases/outputs/NAME has what is printed; the program's
version stands there as VERSION, and what depends on the machine is left out.
"""

import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from program import passed_on
from tap import Tap

HERE = pathlib.Path(__file__).resolve().parent
OUTPUTS = HERE.parent / "cases" / "outputs"

TRACES = {
    "breaks": ["testdata/graph_breaks/trace"],
    "errors": ["testdata/errors/trace"],
    "recompiles": ["testdata/recompiles/trace"],
    "limit": ["testdata/recompile_limit/trace"],
    "stuck": ["testdata/ranks_stuck/trace"],
    "log": ["tests/cases/log/pytest_long/input.log"],
    "crash": ["tests/cases/log/crash_fullgraph/input.log"],
}
EXPORTS = ["markdown", "sarif", "junit"]
CHECKS = ["text", "github", "gitlab", "junit", "sarif", "json"]
LIMITS = ["--max-graph-breaks", "0", "--max-recompiles", "0", "--no-errors", "--fail-on", "low"]
DIFFS = {
    "versions": ["testdata/graph_breaks-2.6.0/trace", "testdata/graph_breaks/trace"],
    "programs": ["testdata/recompiles/trace", "testdata/recompile_limit/trace"],
    "ranks": ["--ranks", "0,1", "testdata/ranks_branch/trace"],
    "epochs": ["--epochs", "1,2", "testdata/resets/trace"],
}
CALLS = [
    ("summarize", {"path": "testdata/recompiles/trace"}),
    ("list_findings", {"path": "testdata/graph_breaks/trace", "severity": "low"}),
    ("explain_finding", {"path": "testdata/graph_breaks/trace", "id": "break-print"}),
    ("explain_finding", {"path": "testdata/recompiles/trace", "id": "recompile-size"}),
    ("explain_finding", {"path": "testdata/errors/trace", "id": "no-such-finding"}),
    ("search", {"path": "testdata/hello/trace", "pattern": "sin"}),
    ("diff", {"before": "testdata/recompiles/trace", "after": "testdata/recompile_limit/trace"}),
    ("check", {"path": "testdata/graph_breaks/trace", "max_graph_breaks": 0}),
]


def requests():
    """Of an agent: it greets, asks for the tools, and calls them."""
    said = [("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}), ("tools/list", {}),
            *(("tools/call", {"name": name, "arguments": arguments}) for name, arguments in CALLS)]
    return "".join(json.dumps({"jsonrpc": "2.0", "id": n, "method": method, "params": params}) + "\n" for n, (method, params) in enumerate(said))


def commands(source):
    """(name, arguments, standard input) of each"""
    for trace in sorted(pathlib.Path(source, "testdata").glob("*/trace")):
        yield f"summary-of-{trace.parent.name}", ["summary", f"testdata/{trace.parent.name}/trace"], None
    for name, paths in TRACES.items():
        yield f"summary-{name}", ["summary", *paths], None
        yield f"findings-{name}", ["findings", *paths], None
        for form in EXPORTS:
            yield f"{form}-{name}", ["export", "--format", form, *paths], None
        yield f"agent-{name}", ["export", "--format", "markdown", "--for", "agent", *paths], None
    for name in ("breaks", "recompiles", "errors"):
        for form in CHECKS:
            yield f"check-{form}-{name}", ["check", *LIMITS, "--format", form, *TRACES[name]], None
    yield "check-function", ["check", "--fullgraph", "f", "--allow", "break-print", *TRACES["breaks"]], None
    for name, words in DIFFS.items():
        for form in ("text", "markdown", "json"):
            yield f"diff-{form}-{name}", ["diff", "--format", form, *words], None
    yield "diff-page", ["diff", "--format", "html", *DIFFS["epochs"]], None
    yield "diff-page-programs", ["diff", "--format", "html", "testdata/recompiles-2.12.0/trace", "testdata/recompiles/trace"], None
    yield "show", ["show", *TRACES["breaks"]], None
    yield "show-compile", ["show", *TRACES["recompiles"], "0/1"], None
    for name in ("errors", "recompiles"):
        yield f"collapsed-{name}", ["export", "--format", "collapsed", *TRACES[name]], None
    yield "redacted", ["export", "--format", "markdown", "--redact", *TRACES["breaks"]], None
    yield "show-grep", ["show", *TRACES["breaks"], "--grep", "sin"], None
    yield "diff-markdown-hello", ["diff", "--format", "markdown", "testdata/hello-2.3.1/trace", "testdata/transformer/trace"], None
    yield "tables", ["export", "--format", "tables", *TRACES["limit"]], None
    yield "agents", ["mcp"], requests()


def printed(pt2trace, source, words, given):
    options = {"mcp": [], "findings": ["--color", "never"]}.get(words[0], ["--color", "never", "-j", "1"])
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as shown:
        done = subprocess.run([pt2trace, words[0], *options, *words[1:]], cwd=source, input=given, capture_output=True, text=True, timeout=120,
                              check=False, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "COLUMNS": "80", "TZ": "UTC",
                                                "GITHUB_STEP_SUMMARY": shown.name} | passed_on())
        step = shown.read()
    version = subprocess.run([pt2trace, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    page = re.sub(r"(?s)<(style|script)\b.*?</\1>|<meta http-equiv=[^>]*>", "", done.stdout)
    text = f"{page}{step and '--- summary of the step'}\n{step}{done.stderr and '--- standard error'}\n{done.stderr}exit {done.returncode}\n"
    text = re.sub(r"==== [0-9a-f]{16}", "==== MARK", text)  # each is another, so that no trace can end what is data
    return re.sub(rf"\b{re.escape(version)}\b", "VERSION", text)


def main(pt2trace, source, *words):
    tap, pt2trace, names = Tap(), pathlib.Path(pt2trace).resolve(), [word for word in words if word != "--write"]
    known = set()
    for name, arguments, given in commands(source):
        known.add(name)
        if names and name not in names:
            continue
        text, path = printed(pt2trace, source, arguments, given), OUTPUTS / name
        if "--write" in words:
            OUTPUTS.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        tap.point(name, text == before, *difflib.unified_diff(before.splitlines(), text.splitlines(), "before", "now", lineterm="", n=0))
    tap.empty("every output is of a command", sorted({path.name for path in OUTPUTS.iterdir()} - known))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
