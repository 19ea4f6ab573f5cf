#!/usr/bin/env python3
"""A workload that ran with TORCH_TRACE and TORCH_LOGS says the same in both. Prints TAP.

usage: test_logs.py PT2TRACE TESTDATA SHARED

Of every folder that has both (TESTDATA/logs/NAME, SHARED/traces/NAME), three reports are made: of the trace, of the text,
and of both together. Breaks, recompiles, guards, errors and compiles of the text must be those of the trace; both together
must be the trace alone, with more artifacts.
"""

import collections
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tap import Tap

# Traces that say less than the log of the same run: those of draft_export, which silences the trace; and of 2.5 and
# earlier, which have no record of most breaks and errors.
SILENCED = re.compile(r"export_aoti|old-.*|.*-2\.[345]\.\d")
# 2.3 does not record why anything was compiled again, nor the limit and what it refused.
UNEXPLAINED = re.compile(r"old-2\.3\.\d|.*-2\.3\.\d")


class Reports:
    def __init__(self, pt2trace, temp):
        self.pt2trace, self.temp, self.count = os.path.abspath(pt2trace), pathlib.Path(temp), 0

    def make(self, *paths):
        self.count += 1
        out = self.temp / f"out{self.count}"
        done = subprocess.run([self.pt2trace, "report", "-q", "--no-browser", "-o", out, *paths], capture_output=True, text=True)
        if done.returncode:
            return None
        return json.loads((out / "report.json").read_text(encoding="utf-8"))


def guard_text(text):
    """A failed check without the code it came from, and without what differs between runs."""
    return re.sub(r"\b\d{9,}\b", "ID", (text or "").split("  #")[0].strip())


def scope(item, epochs=True):
    """Without messages on every compile, a text does not show all epochs."""
    return item["rank"], item["pid"], item["epoch"] if epochs else None


def breaks(report, epochs=True):
    return collections.Counter((b["rank"], b["file"], b["line"], b["type"], b["gb_id"], b["count"]) for b in report["graph_breaks"])


def recompiles(report, epochs=True):
    return collections.Counter((scope(r, epochs), r["compile"], tuple(sorted({guard_text(reason["text"]) for reason in r["reasons"] or ()})))
                               for r in report["recompiles"])


def limits(report, epochs=True):
    return collections.Counter((scope(r, epochs), r["compile"]) for r in report["recompiles"] if r["limit_hit"])


def recorded_type(error):
    """A text has "InternalTorchDynamoError: KeyError: ...", as Dynamo raises it; a trace has the KeyError."""
    return error["message"].split(":")[0] if error["type"] == "InternalTorchDynamoError" else error["type"]


def errors(report, epochs=True):
    """Those of compiles: a text also has an exception before anything was compiled, which no trace has."""
    return collections.Counter((scope(e, epochs), recorded_type(e), e["file"], e["line"]) for e in report["errors"] if e["compile"])


def compiles(report, epochs=True):
    return collections.Counter((scope(c, epochs), c["id"]) for c in report["compiles"])


def frames(report, epochs=True):
    return collections.Counter((scope(c, epochs), c["id"], c["frame"]["name"], c["frame"]["file"], c["frame"]["line"])
                               for c in report["compiles"] if c["frame"] and c["frame"]["name"])


def guards(report, epochs=True):
    """Which compiles have a guard tree, and how large it is."""
    return collections.Counter((scope(c, epochs), c["id"]) for c in report["compiles"]
                               if any(a["name"] == "dynamo_cpp_guards_str" for a in c["artifacts"]))


def restarts(report, epochs=True):
    """
    By the first line, which both have of a break, and only restarts for one. A log does not say which breaks of
    nested functions are one restart, and a trace names only a class for others.
    """
    return collections.Counter({(scope(c, epochs), c["id"], reason.partition("\n")[0]) for c in report["compiles"]
                                for reason in c["restart_reasons"] if not NO_BREAK.match(reason)})


def skips(report, epochs=True):
    return collections.Counter((scope(c, epochs), c["id"], s["reason"], s["file"], s["line"], s["function"])
                               for c in report["compiles"] for s in c["cudagraph_skips"])


FACTS = {"graph breaks": breaks, "recompiles": recompiles, "recompile limits": limits, "errors": errors, "compiles": compiles,
         "frames": frames, "guards": guards, "restart reasons": restarts, "CUDA graph skips": skips}
# Why Dynamo restarts when not for a graph break.
NO_BREAK = re.compile(r"<class |source-less requires_grad_|autograd\.grad consumed|raised at |Unknown fail_and_restart")
# By what is seen that each log was on.
LOGGERS = {"recompiles": "recompile_reasons", "graph_breaks": "dynamo_graph_break_reason", "guards": "dynamo_cpp_guards_str",
           "dynamo": "trace_source"}
# Which log has each fact.
NEEDS = {"recompiles": "recompiles", "recompile limits": "", "graph breaks": "graph_breaks", "guards": "guards", "errors": "dynamo",
         "compiles": "dynamo", "frames": "dynamo", "restart reasons": "dynamo", "CUDA graph skips": ""}


def folders(testdata, shared):
    for root in (testdata / "logs", shared / "traces"):
        for path in sorted(root.rglob("logs.txt.gz")):
            if (path.parent / "trace").is_dir():
                yield path.parent, str(path.parent.relative_to(root))


def loggers(report):
    """Which logs were on, by what is there."""
    names = {kind["name"] for kind in report["kinds"]}
    return {name for name, kind in LOGGERS.items() if f"TORCH_LOGS:{kind}" in names}


def differences(expected, found):
    yield from (f"missing: {item}" for item in (expected - found))
    yield from (f"added: {item}" for item in (found - expected))


def is_silenced(name, fact):
    where = name.split("/")[0]
    if UNEXPLAINED.fullmatch(where) and fact in ("recompiles", "recompile limits"):
        return True
    return bool(SILENCED.fullmatch(where)) and fact in ("graph breaks", "errors", "compiles", "frames")


def printed(found, text):
    """Of errors, those of which a traceback was printed: a program may catch them, and then only the trace knows."""
    return collections.Counter({item: n for item, n in found.items()
                                if re.search(rf"^(\w+\.)*{re.escape(item[1])}: ", text, re.MULTILINE)})


def test_folder(tap, reports, folder, name):
    trace, text = reports.make(folder / "trace"), reports.make(folder / "logs.txt.gz")
    lines = gzip.decompress((folder / "logs.txt.gz").read_bytes()).decode("utf-8", "replace")
    if trace and not text and not re.search(r"torch/|torch\._", lines):
        return tap.point(f"{name}: of a text without a message there is no report", not text)
    both = reports.make(folder / "trace", folder / "logs.txt.gz")
    if not trace or not text or not both:
        tap.point(f"{name}: reports can be made", False)
        return
    for fact, find in FACTS.items():
        silenced = is_silenced(name, fact)
        epochs = "dynamo" in loggers(text)
        if not silenced and wanted(fact, text):
            expected, found = find(trace, epochs), find(text, epochs)
            if fact == "errors":
                expected = printed(expected, lines) | (expected & found)
            tap.empty(f"{name}: {fact} of the text are those of the trace", list(differences(expected, found)))
        if not silenced:
            tap.empty(f"{name}: {fact} count once where both are given", list(differences(find(trace), find(both))))
    if UNEXPLAINED.fullmatch(name.split("/")[0]):
        refused = collections.Counter((scope(c), c["id"]) for c in both["compiles"] if c["limit_hit"])
        tap.equal(f"{name}: compiles count once where both are given", compiles(trace), compiles(both) - refused)
        tap.equal(f"{name}: recompiles count once where both are given", [r["compile"] for r in trace["recompiles"]],
                  [r["compile"] for r in both["recompiles"] if not r["limit_hit"]])
    tap.equal(f"{name}: processes of both together", trace["totals"]["processes"], both["totals"]["processes"])


def wanted(fact, text):
    return NEEDS[fact] in loggers(text) or not NEEDS[fact]


def main(pt2trace, testdata, shared):
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        reports = Reports(pt2trace, temp)
        for folder, name in folders(pathlib.Path(testdata), pathlib.Path(shared)):
            test_folder(tap, reports, folder, name)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
