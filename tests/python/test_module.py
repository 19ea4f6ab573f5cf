#!/usr/bin/env python3
"""The Python module without PyTorch: reports as objects, its HTML, and `python -m pt2trace`. Writes TAP.

usage: test_module.py PT2TRACE SOURCE_ROOT [LIBPT2TRACE]
"""
import dataclasses
import html
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types

SOURCE = pathlib.Path(sys.argv[2]).resolve()
sys.path[:0] = [str(SOURCE / "tests" / "e2e"), str(SOURCE / "python")]
os.environ["PT2TRACE_BINARY"] = str(pathlib.Path(sys.argv[1]).resolve())

import pt2trace  # noqa: E402
from pt2trace import _report, pytest_words  # noqa: E402
from pt2trace._html import report_html  # noqa: E402
from tap import Tap  # noqa: E402

TRACES = SOURCE / "testdata"


def python(*words, **environment):
    return subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(SOURCE / "python"), **environment})


def without_places(item):
    """Where the payloads of artifacts are kept: in the page of a report, nowhere in an export."""
    return {name: value for name, value in item.items() if name != "artifacts"}


def objects(tap, folder):
    """Every list has an object for each item, which has each of its fields, and all of what report.json has."""
    for name in ("graph_breaks", "recompile_causes", "errors", "export"):
        report = pt2trace.load(TRACES / name / "trace")
        index = pt2trace.report(TRACES / name / "trace", folder / name)
        raw = json.loads((index.parent / "report.json").read_text(encoding="utf-8"))
        for field in _report.LISTS:
            tap.equal(f"{name}: {field}", [without_places(item) for item in raw[field]],
                      [without_places(item.raw) for item in getattr(report, field)])
        tap.equal(f"{name}: the totals", raw["totals"], report.totals)
        tap.equal(f"{name}: a report.json is read, too", raw["findings"],
                  [item.raw for item in pt2trace.load(index.parent / "report.json").findings])
    found = pt2trace.load(TRACES / "graph_breaks" / "trace").graph_breaks[0]
    tap.equal("fields of an item", [found.raw["file"], found.raw["line"], found.raw["type"]], [found.file, found.line, found.type])


def fields(tap):
    """What a class names is in the schema, so that no field is ever silently empty."""
    schema = json.loads((SOURCE / "schema" / "report.schema.json").read_text(encoding="utf-8"))["$defs"]
    names = {"findings": "finding", "compiles": "compile", "graph_breaks": "graph_break", "recompiles": "recompile", "errors": "error"}
    for field, cls in {**_report.LISTS, "frame": _report.Frame}.items():
        own = {f.name for f in dataclasses.fields(cls)} - {"raw"}
        tap.empty(f"fields of {cls.__name__}", sorted(own - set(schema[names.get(field, field)]["properties"])))
    unknown = _report.Finding.of({"id": "x", "severity": "low", "title": "t", "new_field": 1})
    tap.equal("a field that the module does not know", [1, "x"], [unknown.raw["new_field"], unknown.id])


def frames(tap):
    """to_pandas() with a stand-in for pandas, which keeps what it is given."""
    sys.modules["pandas"] = types.SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns))
    report = pt2trace.load(TRACES / "graph_breaks" / "trace")
    tap.equal("a list as a frame", (report["phases"], None), report.to_pandas("phases"))
    tap.equal("findings are the frame of no name", (report["findings"], None), report.to_pandas())
    rows, columns = report.to_pandas("recompiles")
    tap.point("an empty frame has its columns", not rows and "reasons" in columns and "raw" not in columns, columns)
    for name in ("breaks", "totals"):
        try:
            tap.point(f"no frame of {name}", False, report.to_pandas(name))
        except KeyError as error:
            tap.point(f"no frame of {name}", name in str(error) and "graph_breaks" in str(error), error)
    del sys.modules["pandas"]


def failures(tap, folder):
    for name, words, status in (("a path that is not there", [folder / "none"], 3), ("a wrong option", [folder, "--nonsense"], 2)):
        try:
            pt2trace.load(*words)
            tap.point(name, False, "no exception")
        except pt2trace.Pt2traceError as error:
            tap.equal(name, status, error.status)
    try:
        with pt2trace.capture():
            tap.point("capture without PyTorch", False, "no exception")
    except ImportError as error:
        tap.point("capture without PyTorch", "needs PyTorch" in str(error), error)
    absent = python("-c", "import pt2trace; pt2trace.load('x')", PT2TRACE_BINARY="", PATH="")
    tap.point("without the program", "neither in this package nor on the PATH" in absent.stderr, absent.stderr)


def markup(tap):
    hostile = '<script>alert(1)</script>"\'&`<b>`'
    raw = {"findings": [{"id": "x", "severity": hostile, "title": hostile, "fix": hostile, "paste": hostile, "file": hostile,
                         "line": 1, "source": hostile}], "totals": {"compiles": hostile}}
    text = report_html(_report.Report(raw))
    tap.empty("no text of a trace is markup", [tag for tag in ("<script", "<b>`", "<b></code>") if tag in text])
    tap.point("it is all there", text.count(html.escape("<script>alert(1)</script>")) >= 5, text)


def command(tap, folder):
    program = subprocess.run([os.environ["PT2TRACE_BINARY"], "--version"], capture_output=True, text=True, check=True).stdout
    tap.equal("python -m pt2trace is the program", program, python("-m", "pt2trace", "--version").stdout)
    tap.point("they have one version", f"pt2trace {pt2trace.__version__}\n" in program, program)
    script = folder / "script.py"
    script.write_text("import os, sys\nprint(sys.argv[1:], bool(os.environ['TORCH_TRACE']))\nsys.exit(7)\n")
    ran = python("-m", "pt2trace", script, "a", "--b")
    tap.equal("python -m pt2trace runs a program", (7, "['a', '--b'] True\n"), (ran.returncode, ran.stdout))
    tap.point("which compiled nothing", "compiled nothing" in ran.stderr, ran.stderr)


def words(tap):
    report = pt2trace.load(TRACES / "graph_breaks" / "trace")
    texts = pytest_words.broken_limits(report, {"max_graph_breaks": 0, "max_recompiles": 0, "max_errors": 0})
    tap.equal("the limits that do not hold", 1, len(texts))
    tap.empty("it names every place", [found.line for found in report.graph_breaks
                                       if f"{found.file}:{found.line}: {found.type}" not in texts[0]])
    total = report.totals["graph_breaks"]
    tap.equal("a limit that is kept", [], pytest_words.broken_limits(report, {"max_graph_breaks": total}))


QUERIES = ("SELECT * FROM findings", "SELECT * FROM compiles", "SELECT phase, self_s FROM phases ORDER BY self_s DESC",
           "SELECT count(*) AS n, avg(line) AS mean, NULL AS absent, 'ä\n\"' AS text FROM graph_breaks")


def queries(tap, places, folder):
    """By the library, if there is one, and by the program (""): the same rows, and an exception for the same mistakes."""
    from pt2trace import _library

    traces = [TRACES / "graph_breaks" / "trace", TRACES / "recompiles" / "trace"]
    (folder / "empty").mkdir()
    found = {}
    for place in places:
        os.environ["PT2TRACE_LIBRARY"] = place
        tap.equal(f"PT2TRACE_LIBRARY={pathlib.Path(place).name}: it is used", bool(place), _library.library() is not None)
        found[place] = [pt2trace.query(traces[0], query) for query in QUERIES] + [pt2trace.query(traces, "SELECT id FROM compiles")]
        for name, words in {"a wrong query": (traces[0], "SELECT nothing FROM nowhere"), "no trace": (folder / "empty", "SELECT 1")}.items():
            try:
                tap.point(f"{name} is an error", False, pt2trace.query(*words))
            except pt2trace.Pt2traceError as error:
                tap.point(f"{name} is an error", str(error), error)
    rows = found[""]
    tap.equal("the library and the program find the same", [rows] * len(places), list(found.values()))
    tap.point("there are rows of all queries", all(rows) and len(rows[-1]) > len(rows[1]), rows[-1])
    tap.equal("a value of each type", [int, float, type(None), str], [type(value) for value in rows[3][0].values()])
    del os.environ["PT2TRACE_LIBRARY"]


def installed_library(tap, lib, folder):
    installed = folder / "prefix" / "bin"
    installed.mkdir(parents=True)
    (folder / "prefix" / "lib" / "any").mkdir(parents=True)
    (folder / "prefix" / "lib" / "any" / "libpt2trace.so.0").symlink_to(lib)
    (installed / "pt2trace").write_bytes(pathlib.Path(os.environ["PT2TRACE_BINARY"]).read_bytes())
    (installed / "pt2trace").chmod(0o755)
    said = python("-c", "from pt2trace import _library; print(_library.library()._name)", PT2TRACE_BINARY=str(installed / "pt2trace")).stdout
    tap.equal("one that is installed beside the program is found", str((folder / "prefix/lib/any/libpt2trace.so.0").resolve().parent.name),
              pathlib.Path(said.strip()).resolve().parent.name)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-module-") as name:
        folder = pathlib.Path(name)
        objects(tap, folder)
        fields(tap)
        frames(tap)
        failures(tap, folder)
        markup(tap)
        command(tap, folder)
        words(tap)
        libraries = [str(pathlib.Path(path).resolve()) for path in sys.argv[3:]]
        queries(tap, [*libraries, ""], folder)
        for library in libraries:
            installed_library(tap, library, folder)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
