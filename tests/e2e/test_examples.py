#!/usr/bin/env python3
"""The examples of schema/README.md: each must work, in Python and in jq (where that is installed), and both print the same.

    test_examples.py PT2TRACE SOURCE

SOURCE is the top of the repository. Prints TAP.
"""

import pathlib
import re
import shutil
import sys
import tempfile

from kept_calls import keep
from tap import Tap, report_of, run
from test_schema import everything

SETUP = 'import json\nreport = json.load(open("report.json"))\n'
TRACES = ("graph_breaks", "recompiles", "errors", "caches_warm", "compiled_autograd", "aoti", "dist2", "graph_breaks-2.3.1")
EXAMPLE = re.compile(r"^### (\d+)\. (.*?)\n.*?^```jq\n(.*?)^```\n```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def test_example(tap, title, in_jq, in_python, folders):
    printed = 0
    for name, folder in folders.items():
        python = run(sys.executable, "-c", SETUP + in_python, cwd=folder)
        if python.returncode:
            tap.point(f"{title}, {name}: works in Python", False, python.stderr.decode())
            continue
        printed += len(python.stdout)
        if shutil.which("jq"):
            jq = run("jq", "-r", in_jq, "report.json", cwd=folder)
            tap.point(f"{title}, {name}: the same in jq", jq.stdout == python.stdout and not jq.returncode,
                      jq.stderr.decode(), *difference(python.stdout, jq.stdout))
    tap.point(f"{title}: prints something", printed > 0)


def difference(one, other):
    pairs = zip(one.decode().splitlines(), other.decode().splitlines())
    return [f"Python {mine!r}, jq {theirs!r}" for mine, theirs in pairs if mine != theirs]


def main(pt2trace, source):
    keep(pt2trace)
    tap, pt2trace, source = Tap(), pathlib.Path(pt2trace).resolve(), pathlib.Path(source)
    examples = EXAMPLE.findall((source / "schema" / "README.md").read_text(encoding="utf-8"))
    tap.equal("examples", [str(number) for number in range(1, 11)], [number for number, *_ in examples])
    with tempfile.TemporaryDirectory(prefix="pt2trace-examples-") as temp:
        temp, folders = pathlib.Path(temp), {}
        (temp / "everything.log").write_bytes(everything().data)
        traces = [source / "testdata" / name / "trace" for name in TRACES]
        for path in [temp / "everything.log", *filter(pathlib.Path.exists, traces)]:
            name = path.stem if path.is_file() else path.parent.name
            folders[name] = temp / "reports" / name
            report_of(pt2trace, folders[name], path)
        for number, title, in_jq, in_python in examples:
            test_example(tap, f"{number}. {title}", in_jq, in_python, folders)
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
