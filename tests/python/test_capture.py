#!/usr/bin/env python3
"""pt2trace.capture, the pytest plugin and the notebook magic under real PyTorch. Writes TAP.

usage: test_capture.py PT2TRACE SOURCE_ROOT [INSTALLED]

With INSTALLED, a folder that a wheel was installed into, its module is tried, and everything under each PyTorch; without it
the module of the sources, and pytest and the notebook under the newest alone.

The programs are block.py and those below. PyTorch 2.13 is the one of tools/torch-python; 2.6 is tried where
tools/make-testdata left it. pytest and the notebook's packages are what tools/setup --tests puts into tests/python/site.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(sys.argv[2]).resolve()
sys.path[:0] = [str(SOURCE / "tests" / "e2e"), str(SOURCE / "tools")]

from maketestdata.venv import folder_of  # noqa: E402
import webdriver  # noqa: E402
from tap import Tap  # noqa: E402
from torch_python import torch_python  # noqa: E402

SITE = HERE / "site"
MODULES = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else SOURCE / "python"

TESTS = '''
import pytest, torch

def model(x):
    y = x + 1
    print("stop")
    return y * 2

def clean(x):
    return x * 2

@pytest.mark.pt2trace(max_graph_breaks=0, max_recompiles=1)
def test_breaks():
    torch.compile(model, backend="eager")(torch.ones(2))

@pytest.mark.pt2trace(max_graph_breaks=1)
def test_one_break_is_allowed():
    torch.compile(model, backend="eager")(torch.ones(2))

@pytest.mark.pt2trace(max_graph_breaks=0, max_recompiles=0)
def test_recompiles():
    step = torch.compile(clean, backend="eager")
    step(torch.ones(2)); step(torch.ones(3))

@pytest.mark.pt2trace(max_graph_breaks=0, max_recompiles=0, max_errors=0)
def test_clean():
    torch.compile(clean, backend="eager")(torch.ones(2))

@pytest.mark.pt2trace(max_graph_breaks=0)
def test_own_failure():
    torch.compile(model, backend="eager")(torch.ones(2))
    assert 1 == 2

@pytest.mark.pt2trace(max_breaks=0)
def test_wrong_argument():
    pass

def test_fixture(pt2trace):
    torch._dynamo.reset()
    torch.compile(model, backend="eager")(torch.ones(2))
    assert [found.line for found in pt2trace.graph_breaks] == [6]
'''

NOTEBOOK = [
    "%load_ext pt2trace\nimport torch",
    "def f(x):\n    y = x + 1\n    print('<script>')\n    return y * 2\n",
    "%%pt2trace t\ntorch.compile(f, backend='eager')(torch.ones(2))",
    "t",
    "%%pt2trace one two\n1",
    "%%pt2trace\nraise KeyError('mine')",
]


class Python:
    """A Python with PyTorch, the module and the packages of SITE."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.environment = {**os.environ, "PYTHONPATH": f"{MODULES}:{SITE}", "OMP_NUM_THREADS": "1",
                            "PT2TRACE_BINARY": str(pathlib.Path(sys.argv[1]).resolve()), "HOME": str(folder)}
        self.environment.pop("TORCH_TRACE", None)

    def run(self, *words, **environment):
        return subprocess.run([self.path, *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False,
                              timeout=300, env={**self.environment, **environment})


def block(tap, python, version):
    pages, trace = python.folder / "pages", python.folder / "trace"
    ran = python.run(HERE / "block.py", pages, TORCH_TRACE=str(trace))
    if not tap.equal(f"{version}: the program ends well", (0, ""), (ran.returncode, "" if ran.returncode == 0 else ran.stderr[-2000:])):
        return
    out = json.loads(ran.stdout.splitlines()[-1])
    place = str(HERE / "block.py")
    tap.equal(f"{version}: what ran in each block",
              [["sized"], ["sized"], ["sized"], 2, 1], [out["while it runs"], out["outer functions"], out["inner functions"],
                                                        len(out["outer"]), len(out["inner"])])
    tap.equal(f"{version}: the recompile is reported where it happened", out["outer"][1:], out["recompiles"])
    tap.equal(f"{version}: strings from before the block have their values", [f"{place}:22"], out["places"])
    tap.equal(f"{version}: the trace is whole", [], out["health"])
    tap.equal(f"{version}: summary and page", (True, "<!doctype html>", 1),
              ("1 recompile" in out["summary"], out["page"], out["html"]))
    tap.equal(f"{version}: a block that compiles nothing", [[], [], "Nothing was compiled in this block.\n"], out["nothing"])
    tap.point(f"{version}: nothing to report on", "nothing to report on" in out["no report"], out["no report"])
    tap.point(f"{version}: a capture is used once", "of one block" in out["twice"], out["twice"])
    tap.equal(f"{version}: an exception passes", ("'mine'", [[place, 18, "torch._dynamo.graph_break()"]]),
              (out["raised"], out["breaks"]))
    tap.equal(f"{version}: decorators", [[2, ["sized"], "step"], True, [2, ["sized"]]],
              [out["step"], out["each call"], out["later"]])
    tap.equal(f"{version}: threads", [[[f"of_thread_{i}"] for i in range(3)], 1], [out["threads"], out["other thread"]])
    tap.equal(f"{version}: a forked child stays out", ["sized"], out["parent"])
    tap.equal(f"{version}: the handlers that were there stay", out["handlers before"], out["handlers after"])
    tap.point(f"{version}: TORCH_TRACE has what it has without captures", len(list(trace.iterdir())) >= 1, list(trace.iterdir()))


# An installed package names its plugin itself.
PLUGIN = ["-p", "pt2trace.pytest_plugin"] if MODULES == SOURCE / "python" else []


def plugin(tap, python):
    (python.folder / "test_model.py").write_text(TESTS)
    ran = python.run("-m", "pytest", *PLUGIN, "-q", "-p", "no:cacheprovider", "--pt2trace", "test_model.py")
    outcomes = dict(re.findall(r"^(?:FAILED|ERROR) test_model.py::(\w+)( - Failed|)", ran.stdout, re.M))
    tap.equal("pytest: which tests fail", {"test_breaks", "test_recompiles", "test_own_failure", "test_wrong_argument"}, set(outcomes))
    if not tap.point("pytest: a failure shows the place and the source",
                     re.search(r"1 graph break, at most 0 allowed:\n +\S*test_model.py:6: .*\n +> print\(\"stop\"\)", ran.stdout),
                     ran.stdout[-3000:]):
        return
    tap.point("pytest: and the advice", "reorderable_logging_functions.add(print)" in ran.stdout)
    tap.point("pytest: a recompile shows its function", re.search(r"1 recompile, at most 0 allowed:\n +\S*test_model.py:9: ", ran.stdout))
    tap.point("pytest: a test's own failure stays", "assert 1 == 2" in ran.stdout)
    tap.point("pytest: the session's report", "Report    pt2trace_out/index.html" in ran.stdout
              and (python.folder / "pt2trace_out" / "index.html").exists(), ran.stdout[-1500:])
    off = python.run("-m", "pytest", *PLUGIN, "-q", "-p", "no:cacheprovider", "-k", "clean", "test_model.py")
    tap.point("pytest: off by default", off.returncode == 0 and "Report " not in off.stdout, off.stdout)


def notebook(tap, python):
    """Executes a notebook, and looks at what stands under its cells."""
    code = ("import json, sys, nbformat, nbclient\n"
            "cells = [nbformat.v4.new_code_cell(text) for text in json.load(sys.stdin)]\n"
            "book = nbformat.v4.new_notebook(cells=cells)\n"
            "from jupyter_client.kernelspec import KernelSpec\n"
            "nbclient.NotebookClient(book, timeout=240, allow_errors=True, kernel_name='python3').execute()\n"
            "print(json.dumps([cell.outputs for cell in book.cells]))\n")
    kernel = python.folder / "share" / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(json.dumps({
        "argv": [python.path, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "python3", "language": "python"}))
    ran = subprocess.run([python.path, "-c", code], input=json.dumps(NOTEBOOK), cwd=python.folder, capture_output=True, text=True,
                         timeout=300, check=False, env={**python.environment, "JUPYTER_PATH": str(python.folder / "share" / "jupyter")})
    if not tap.equal("notebook: it is executed", 0, ran.returncode):
        print("# " + "\n# ".join(ran.stderr.splitlines()[-12:]))
        return
    outputs = json.loads(ran.stdout.splitlines()[-1])
    pages = [[output["data"]["text/html"] for output in cell if "text/html" in output.get("data", {})] for cell in outputs]
    tap.equal("notebook: the finding stands under the cell", (1, 1), (len(pages[2]), len(pages[3])))
    page = "".join(pages[2][0]) if pages[2] else ""
    tap.point("notebook: with its advice", "reorderable_logging_functions.add(print)" in page.split("<iframe")[0], page[:2000])
    tap.point("notebook: with the whole report in a sandbox", page.count('<iframe sandbox="allow-scripts" srcdoc="') == 1)
    tap.point("notebook: source is no markup", "&lt;script&gt;" in page and "<script" not in page, page[:2000])
    errors = [[output["ename"] for output in cell if output["output_type"] == "error"] for cell in outputs]
    look_at(tap, page, os.environ.get("PT2TRACE_PICTURE"))
    tap.equal("notebook: errors stop a run", (["ValueError"], ["KeyError"]), (errors[4], sorted(set(errors[5]))))


def look_at(tap, page, picture=None):
    """What stands under a cell, in Chromium: in a page with a script and a secret of its own, as a notebook is one."""
    lacking = webdriver.missing()
    if lacking:
        tap.skip("notebook in a browser", f"{', '.join(lacking)}: tools/setup --tests installs it")
        return
    with tempfile.TemporaryDirectory(prefix="pt2trace-notebook-") as name, webdriver.Browser() as browser:
        host = pathlib.Path(name, "notebook.html")
        host.write_text("<!doctype html><meta charset='utf-8'><title>notebook</title><script>window.secret = 'mine'</script>"
                        f"<p>Out:</p>{page}", encoding="utf-8")
        browser.width(1000)
        browser.open(host.as_uri())
        shown = browser.run("return document.querySelector('.pt2trace').innerText")
        tap.point("notebook in a browser: the verdict, the line and the advice are seen",
                  all(words in shown for words in ("1 graph break", "print('<script>')", "reorderable_logging_functions")), shown)
        tap.equal("notebook in a browser: no script came with it", 1, browser.run("return document.scripts.length"))
        tap.equal("notebook in a browser: the report is one click away", [False, False], browser.run(
            "const d = document.querySelector('details'); return [d.open, document.querySelector('iframe').checkVisibility()]"))
        browser.run("document.querySelector('details > summary').click()")
        # It loads when it comes into view.
        browser.run("document.querySelector('iframe').scrollIntoView()")
        browser.run("return new Promise((done) => setTimeout(done, 1000))")
        if picture:
            browser.screenshot(picture)
        tap.equal("notebook in a browser: the notebook cannot read the report", True,
                  browser.run("return document.querySelector('iframe').contentDocument === null"))
        browser.frame(0)
        tap.equal("notebook in a browser: the whole report is in it, and its own script runs", [True, True, "refused"], browser.run(
            "const seen = [document.querySelector('.finding') !== null, document.querySelector('.made') !== null];"
            "try { return [...seen, parent.secret] } catch { return [...seen, 'refused'] }"))
        tap.equal("notebook in a browser: nothing is asked of a network", [],
                  [url for url in browser.requests() if url.split(":")[0] not in ("file", "data", "blob", "about")])


def main():
    tap = Tap()
    path, why_not = torch_python(SOURCE)
    if not path:
        tap.skip("captures under PyTorch", why_not)
        return tap.end()
    with tempfile.TemporaryDirectory(prefix="pt2trace-capture-") as name:
        for version, python in (("2.13", path), ("2.6", str(folder_of("2.6.0") / "bin" / "python"))):
            folder = pathlib.Path(name, version)
            folder.mkdir()
            if not pathlib.Path(python).exists():
                tap.skip(f"{version}: captures", "this PyTorch is not installed: tools/make-testdata does it")
                continue
            block(tap, Python(python, folder), version)
        if not SITE.exists():
            tap.skip("pytest and notebooks", "tools/setup --tests installs what they need")
            return tap.end()
        for folder in sorted(pathlib.Path(name).iterdir()):
            python = Python(path if folder.name == "2.13" else str(folder_of("2.6.0") / "bin" / "python"), folder)
            if folder.name == "2.13" or (MODULES != SOURCE / "python" and pathlib.Path(python.path).exists()):
                plugin(tap, python)
                notebook(tap, python)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
