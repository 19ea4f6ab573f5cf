#!/usr/bin/env python3
"""What each command prints of small real traces, to the byte. Prints TAP.

usage: test_outputs.py PT2TRACE SOURCE [--write] [NAME...]

Whether an output is true, other tests ask, by what PyTorch itself says. This one notices each line, word and comma that comes
or goes: read the difference of `--write` before you commit it. tests/cases/outputs/NAME has what is printed; the program's
version stands there as VERSION, and what depends on the machine is left out. Of pages, payloads that stand packed are
unpacked, and long ones are their length and digest.
"""

import contextlib
import difflib
import hashlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import specimens
from kept_facts import facts, of_page
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
COMMANDS = ["report", "summary", "show", "export", "digest", "merge", "index", "run", "follow", "check", "diff", "mcp", "findings"]
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
    ("summarize", {"path": "testdata/recompiles/trace", "offset": 100, "limit": 300}),
    ("list_findings", {"path": "testdata/recompiles/trace", "offset": 2, "limit": 2}),
    ("explain_finding", {"path": "testdata/recompiles/trace", "id": "recompile-size", "offset": 50, "limit": 300}),
    ("show_artifact", {"path": "testdata/dist2/trace", "compile": "0/0", "what": "dynamo_output_graph", "rank": 1, "offset": 10, "limit": 400}),
    ("show_artifact", {"path": "testdata/recompiles/trace", "compile": "0/1", "what": "guards", "failed": True, "limit": 400}),
    ("search", {"path": "testdata/dist2/trace", "pattern": "sin", "compile": "0/0", "rank": 1, "offset": 10, "limit": 300}),
    ("diff", {"before": "testdata/ranks_branch/trace", "after": "testdata/ranks_branch/trace", "ranks": "0,1", "offset": 10, "limit": 400}),
    ("diff", {"before": "testdata/resets/trace", "after": "testdata/resets/trace", "epochs": "1,2", "limit": 400}),
    ("check", {"path": "testdata/recompiles/trace", "max_recompiles": 0, "max_compile_time": "1ms", "no_errors": True, "no_recompile_limit": True,
               "fail_on": "low", "fullgraph": ["f"], "allow": ["recompile-size"], "limit": 900}),
]


# Small inputs that lead to most of what a page and a report.json can have; of larger ones the parts that they alone lead to.
PAGES = {
    "everything": ("made/everything", None),
    "experiment": ("made/experiment", ["findings", "run", "gpu"]),
    "gpu": ("made/gpu", None),
    "gpu-ranks": ("made/gpu_ranks", ["findings", "gpu", "ranks"]),
    "flight": ("tests/cases/trace/flight_recorder_cut_off/input", None),
    "provenance": ("testdata/provenance_aoti/trace", None),
    "guards": ("tests/cases/paste/guards-2.2.2.txt", None),
    "draft-export": ("testdata/draft_export/trace", None),
    "recompile-error": ("tests/cases/log/crash_recompile_error/input.log", None),
    "resets": ("tests/cases/log/resets_unsaid/input.log", None),
    "debug": ("tests/cases/log/compile_debug_and_trace/input", None),
    "ranks-runs": ("testdata/ranks_runs/trace", ["ranks"]),
    "ranks-order": ("testdata/ranks_order/trace", ["ranks"]),
    "ranks-stuck": ("testdata/ranks_stuck/trace", ["ranks"]),
    "custom": ("testdata/custom_artifacts/trace", ["time", "compiles"]),
    "caches": ("testdata/caches_cold/trace", ["caches"]),
}
SHOWN = {
    "all": ["made/everything"],
    "one": ["made/everything", "0/0"],
    "again": ["testdata/recompiles/trace", "0/1"],
    "error": ["made/everything", "2/0"],
    "stack": ["made/everything", "0/0", "stack"],
    "metrics": ["made/everything", "0/0", "metrics"],
    "inputs": ["made/everything", "0/0", "inputs"],
    "symbols": ["made/everything", "0/0", "symbols"],
    "failed": ["testdata/recompiles/trace", "guards", "--failed"],
    "function": ["testdata/dist2/trace", "f"],
    "rank": ["testdata/dist2/trace", "--rank", "1"],
    "line": ["testdata/graph_breaks/trace", "graph_breaks.py:24"],
    "digest": ["testdata/hello/trace", "0/0", "graph"],
    "nearly": ["testdata/hello/trace", "0/0", "output_cod"],
    "several": ["testdata/recompiles/trace", "reasons"],
}
REPORTS = {
    "everything": ("made/everything", None),
    "experiment": ("made/experiment", ["environment", "findings", "experiment"]),
    "gpu": ("made/gpu", None),
    "gpu-ranks": ("made/gpu_ranks", ["findings", "gpu", "ranks"]),
    "flight": ("tests/cases/trace/flight_recorder_cut_off/input", ["ranks"]),
    "ranks-runs": ("testdata/ranks_runs/trace", ["ranks"]),
    "ranks-order": ("testdata/ranks_order/trace", ["ranks"]),
    "ranks-stuck": ("testdata/ranks_stuck/trace", ["ranks"]),
    "caches": ("testdata/caches_cold/trace", ["caches"]),
}


def requests():
    """Of an agent: it greets, asks for the tools, and calls them."""
    said = [("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}), ("tools/list", {}),
            *(("tools/call", {"name": name, "arguments": arguments}) for name, arguments in CALLS)]
    return "".join(json.dumps({"jsonrpc": "2.0", "id": n, "method": method, "params": params}) + "\n" for n, (method, params) in enumerate(said))


def commands(source):
    """(name, arguments, standard input) of each"""
    for kind, pattern in {"log": "*/input.log", "trace": "*/input*", "paste": "*.txt"}.items():
        for path in sorted(pathlib.Path(source, "tests", "cases", kind).glob(pattern)):
            place = path.relative_to(source)
            name = f"{kind}-{place.parts[3].removesuffix('.txt')}"
            yield f"facts-of-{name}", ["export", "--format", "json", str(place)], None
            if kind == "paste":
                yield f"summary-of-{name}", ["summary", str(place)], None
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
    yield "agent-nothing", ["export", "--format", "markdown", "--for", "agent", "tests/cases/trace/ranks_malformed/input.log"], None
    yield "help", ["--help"], None
    for name in COMMANDS:
        yield f"help-{name}", [name, "--help"], None
    for form in EXPORTS:
        yield f"{form}-characters", ["export", "--format", form, "-"], "torch._dynamo.exc.Unsupported: \ufffe, \uffff and \ufffd\n"
    yield "redacted", ["export", "--format", "markdown", "--redact", *TRACES["breaks"]], None
    yield "show-grep", ["show", *TRACES["breaks"], "--grep", "sin"], None
    yield "diff-markdown-hello", ["diff", "--format", "markdown", "testdata/hello-2.3.1/trace", "testdata/transformer/trace"], None
    yield "tables", ["export", "--format", "tables", *TRACES["limit"]], None
    yield "agents", ["mcp"], requests()
    for name, (path, _) in PAGES.items():
        yield f"page-{name}", ["report", path], None
    for name, (path, _) in REPORTS.items():
        yield f"json-{name}", ["export", "--format", "json", path], None
    made = PAGES["everything"][0]
    for form in ("raw", "perfetto", "speedscope", "collapsed"):
        yield f"{form}-everything", ["export", "--format", form, made], None
    for form in ("csv", "tables", "tlparse"):
        yield f"files-{form}", ["export", "--format", form, "-o", "out/x/", made], None
    yield "files-redaction", ["summary", "--redact", "--redact-map", "out/map.json", made], None
    yield "files-sqlite", ["export", "--format", "sqlite", "-o", "out/x.db", made], None
    yield "files-tlparse-ranks", ["export", "--format", "tlparse", "-o", "out/x/", "made/ranks"], None
    yield "files-index", ["index", "out/x.db", "made/runs", "--report", "-o", "out/x", "--title", "Night & day", "--commit", "abc", "--host", "node7",
                          "--label", "nightly"], None
    for form in ("markdown", "sarif", "junit"):
        yield f"{form}-experiment", ["export", "--format", form, "--title", "A title", "--note", "A note", "made/experiment"], None
    yield "summary-experiment", ["summary", "made/experiment"], None
    yield "summary-gpu", ["summary", "made/gpu"], None
    for name, words in SHOWN.items():
        yield f"show-{name}", ["show", *words], None


# --- pages ------------------------------------------------------------------------------------------------------------


def of_json(text, sections):
    report = json.loads(text)
    return json.dumps({key: report[key] for key in report if not sections or key in sections}, indent=1, ensure_ascii=False) + "\n"


def pages(name, out, text):
    """What is kept of a report, and of the JSON of one."""
    form, _, name = name.partition("-")
    if form == "facts":
        return "".join(facts(json.loads(text)))
    if form == "json":
        return of_json(text, REPORTS[name][1])
    return of_page((out / "index.html").read_text(encoding="utf-8"), PAGES[name][1])


# --- printing ---------------------------------------------------------------------------------------------------------


def make(folder, source):
    """Where the commands run: what is in the repository, and what is made here."""
    for name in ("testdata", "tests"):
        (folder / name).symlink_to(source / name)
    specimens.write(folder / "made")


class Printer:
    def __init__(self, pt2trace, folder):
        self.pt2trace, self.folder = pt2trace, folder
        self.version = subprocess.run([pt2trace, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

    def written(self):
        """The files of the directory that was named."""
        for path in sorted(path for path in (self.folder / "out").rglob("*") if path.is_file()):
            name = path.relative_to(self.folder)
            if path.suffix == ".db":
                with contextlib.closing(sqlite3.connect(path)) as database:
                    lines = [line for line in database.iterdump() if not re.match(r'INSERT INTO "?(sources|files)\b', line)]
                yield f"--- {name}\n" + "".join(f"{line}\n" for line in lines)
            elif not path.name.startswith("."):
                text = path.read_text(encoding="utf-8")
                text = text if len(text) < 20000 or path.suffix == ".html" else f"{text[:500]}... {hashlib.md5(text.encode()).hexdigest()}\n"
                yield f"--- {name}\n{of_page(text, None) if path.suffix == '.html' else text}"

    def plain(self, text):
        """Without what depends on the machine and the version."""
        text = text.replace(str(self.pt2trace), "pt2trace").replace(str(self.folder), "HERE")
        text = re.sub(r"==== [0-9a-f]{16}", "==== MARK", text)  # each is another, so that no trace can end what is data
        return re.sub(rf"\b{re.escape(self.version)}\b", "VERSION", text)

    def run(self, words, given=None, kept=lambda text: text, added=lambda: ""):
        """What a command prints: `kept` of it, and what `added` finds in the directory."""
        options = {"mcp": [], "--help": [], "findings": ["--color", "never"]}.get(words[0], ["--color", "never", "-j", "1"])
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        if words[0] == "report":
            options += ["--no-browser", "--overwrite", "-o", "out"]
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as shown:
            done = subprocess.run([self.pt2trace, words[0], *options, *words[1:]], cwd=self.folder, input=given, capture_output=True, text=True,
                                  timeout=120, check=False,
                                  env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "COLUMNS": "80", "TZ": "UTC",
                                       "GITHUB_STEP_SUMMARY": shown.name} | passed_on())
            step = shown.read()
        text = (kept(done.stdout) if done.returncode == 0 else done.stdout) + added()
        return self.plain(f"{text}{step and '--- summary of the step'}\n{step}{done.stderr and '--- standard error'}\n{done.stderr}"
                          f"exit {done.returncode}\n")

    def printed(self, name, words, given):
        def kept(text):
            if name.startswith(("page-", "json-", "facts-")):
                return pages(name, self.folder / "out", text)
            return re.sub(r"(?s)<(style|script)\b.*?</\1>|<meta http-equiv=[^>]*>", "", text) if name.startswith("diff-page") else text

        return self.run(words, given, kept, lambda: "".join(self.written()) if name.startswith("files-") else "")


def main(pt2trace, source, *words):
    tap, pt2trace, names = Tap(), pathlib.Path(pt2trace).resolve(), [word for word in words if word != "--write"]
    known = set()
    with tempfile.TemporaryDirectory() as folder:
        make(pathlib.Path(folder), pathlib.Path(source).resolve())
        printer = Printer(pt2trace, pathlib.Path(folder))
        for name, arguments, given in commands(source):
            known.add(name)
            if names and name not in names:
                continue
            text, path = printer.printed(name, arguments, given), OUTPUTS / name
            if "--write" in words:
                OUTPUTS.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
            before = path.read_text(encoding="utf-8") if path.exists() else ""
            tap.point(name, text == before, *difflib.unified_diff(before.splitlines(), text.splitlines(), "before", "now", lineterm="", n=0))
    tap.empty("every output is of a command", sorted({path.name for path in OUTPUTS.iterdir()} - known))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
