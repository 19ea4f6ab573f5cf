#!/usr/bin/env python3
"""What PyTorch raises, warns of and logs, by its own sources: exceptions are errors, warnings are none. Prints TAP.

usage: test_sources.py PT2TRACE SOURCE [--all]

Each `raise`, `warnings.warn` and call of a logger in the Python sources of the PyTorch of tools/torch-python, as far as its words
stand there, becomes a text: the traceback of a program that calls the function, Python's warning, a record of the log. An exception
is one error, whose words are in the report; that no part of it comes from the compiler is not said where a part that traces raises
it; what PyTorch warns of is no error, but for the reasons of WORSE. Without --all a part of what some of the files say is read.
"""

import ast
import builtins
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

from program import Program
from tap import Tap
from torch_python import torch_python

PARTS = ("distributed", "_dynamo", "_inductor", "_functorch", "_export", "export", "fx", "_higher_order_ops", "_library", "library.py",
         "_subclasses", "nn", "utils", "cuda", "amp", "_guards.py", "compiler", "_logging", "_refs", "_decomp", "_tensor.py", "optim",
         "_ops.py", "autograd", "multiprocessing", "onnx")
TRACING = re.compile(r"fx/experimental/|fx/passes/|_subclasses/|_guards\.py|_export/|_higher_order_ops/")
FILES_OF, ONE_OF = 8, 5
LOGGERS = re.compile(r"(?:self\.)?\w*(?:log|logger|LOG)\.(warning|error|exception|critical)")
LEVELS = {"warning": "W", "error": "E", "exception": "E", "critical": "C"}
# Warnings that are more than a warning, by what they begin with.
WORSE = {
    "torch._dynamo hit config.": "from then on the function runs in eager mode",
    "Accuracy failed for": "the results of a graph differ",
    "Can't find Python.h": "what is compiled with it fails",
    "failed to eagerly compile backwards": "the exception that it speaks of was raised",
    "The tensor": "a result is missing from the exported program",
}


def words(node):
    """The text of a message, with something in the places of its values; None if it is no text."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else value_of(ast.unparse(part.value)) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = words(node.left), words(node.right)
        return (left or "quokka") + (right or "quokka") if left or right else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        text = words(node.left)
        return re.sub(r"%[-+#0-9.]*[sdrfx]", "quokka", text) if text else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        text = words(node.func.value)
        return re.sub(r"\{[^}]*\}", "quokka", text) if text else None
    return None


def value_of(code):
    """What may stand for an expression in a message."""
    kinds = {r"len\(|num|size|rank|count|dim|idx|index": "3", r"dtype": "torch.float16", r"device": "cuda:0", r"shape": "torch.Size([3, 4])",
             r"type": "<class 'int'>", r"path|file": "/srv/shop/till.pt"}
    return next((value for kind, value in kinds.items() if re.search(kind, code.lower())), "quokka")


def first_words(call):
    return next(filter(None, map(words, call.args)), None)


class Reader(ast.NodeVisitor):
    """(text, words that must be in the report, place, whether it is an exception) of all that a file says."""

    def __init__(self, path, source):
        self.path, self.lines, self.function, self.found = path, source.split("\n"), "<module>", []
        self.visit(ast.parse(source))

    def visit_FunctionDef(self, node):
        outer, self.function = self.function, node.name
        self.generic_visit(node)
        self.function = outer

    visit_AsyncFunctionDef = visit_FunctionDef

    def add(self, node, text, said, raised):
        self.found.append((text, said, f"{self.path}:{node.lineno}", raised))

    def traceback(self, node):
        """Of the exception that was caught before the call."""
        return ["Traceback (most recent call last):",
                f'  File "/srv/.venv/lib/python3.11/site-packages/torch/{self.path}", line {node.lineno - 2}, in {self.function}',
                f"    {self.lines[node.lineno - 3].strip() or 'yield'}",
                "OSError: [Errno 28] No space left on device"]

    def visit_Raise(self, node):
        name = ast.unparse(node.exc.func) if isinstance(node.exc, ast.Call) else ""
        said = first_words(node.exc) if name else None
        if said and hasattr(builtins, name) and name != "KeyboardInterrupt":
            self.add(node, 'Traceback (most recent call last):\n  File "/srv/shop/train.py", line 41, in main\n    total = step(basket)\n'
                     f'  File "/srv/.venv/lib/python3.11/site-packages/torch/{self.path}", line {node.lineno}, in {self.function}\n'
                     f"    {self.lines[node.lineno - 1].strip()}\n{name}: {said.strip()}\n", said, True)
        self.generic_visit(node)

    def visit_Call(self, node):
        name, said = ast.unparse(node.func), first_words(node)
        logger = LOGGERS.fullmatch(name)
        if said and len(said) > 7 and (logger or name == "warnings.warn"):
            if logger:
                said = re.sub(r"%[-+#0-9.]*[sdrfx]", "quokka", said)
                lead = f"{LEVELS[logger[1]]}1129 12:01:02.345000 4711 torch/{self.path}:{node.lineno}] "
                below = self.traceback(node) if any(k.arg == "exc_info" for k in node.keywords) else []
                text = "".join(f"{lead}{line}\n" for line in [*said.strip().split("\n"), *below])
            else:
                kind = next((ast.unparse(x) for x in [*node.args[1:], *(k.value for k in node.keywords)] if ast.unparse(x).endswith("Warning")),
                            "UserWarning")
                text = (f"/srv/.venv/lib/python3.11/site-packages/torch/{self.path}:{node.lineno}: {kind}: {said.strip()}\n"
                        f"  {self.lines[node.lineno - 1].strip()}\n")
            if not logger or logger[1] == "warning":
                self.add(node, text, said, False)
        self.generic_visit(node)


def is_chosen(name, one_of):
    """The same of each name, whatever there is beside it."""
    return zlib.crc32(name.encode()) % one_of == 0


def all_said(torch, everything):
    for part in PARTS:
        for path in sorted((torch / part).rglob("*.py")) if (torch / part).is_dir() else [torch / part]:
            place = path.relative_to(torch).as_posix()
            if path.exists() and (everything or is_chosen(place, FILES_OF)) and not re.search(r"(^|/)(test|testing|_internal|benchmark)", place):
                yield from (one for one in Reader(place, path.read_text(encoding="utf-8")).found if everything or is_chosen(one[1], ONE_OF))


def plain(text):
    """Without what JSON and a report do to quotation marks and ends of lines."""
    return re.sub(r"[\W_]+", "", text)


def fault(program, text, said, place, raised):
    """What is wrong with the report on a text, or None."""
    done = program.run("export", "--format", "json", "-", input=text.encode())
    if done.returncode:
        return f"{place}: exit {done.returncode}"
    report = json.loads(done.stdout)
    titles = [f["title"] for f in report["findings"]]
    if not raised:
        worse = [f for f in report["findings"] if f["severity"] in ("high", "critical")] or report["errors"]
        return f"{place}: {titles}" if worse and not said.strip().startswith(tuple(WORSE)) else None
    if len(report["errors"]) != 1:
        return f"{place}: {len(report['errors'])} errors"
    if plain(said.strip().split("\n")[0][:20]) not in plain(json.dumps(report, ensure_ascii=False)):
        return f"{place}: {titles}"
    steps = "\n".join(report["errors"][0]["next"])
    if TRACING.match(place) and "Nothing in this text comes from" in steps:
        return f"{place}: {steps}"
    return None


def main(pt2trace, source, *options):
    tap = Tap()
    python, why_not = torch_python(pathlib.Path(source))
    if not python:
        tap.skip("what PyTorch's sources say", why_not)
        return tap.end()
    found = subprocess.run([python, "-c", "import importlib.util; print(importlib.util.find_spec('torch').submodule_search_locations[0])"],
                           capture_output=True, text=True, check=True).stdout.strip()
    said = list(all_said(pathlib.Path(found), "--all" in options))
    with tempfile.TemporaryDirectory() as temp, concurrent.futures.ThreadPoolExecutor(2) as pool:
        program = Program(pt2trace, temp)
        faults = list(pool.map(lambda one: fault(program, *one), said))
    for name, raised in {"an exception is an error with its words": True, "a warning is no error": False}.items():
        mine = [wrong for one, wrong in zip(said, faults) if one[3] is raised]
        tap.empty(f"{name}: {len(mine)} texts", [wrong for wrong in mine if wrong])
        tap.point(f"{name}: there are some", len(mine) >= 10, mine)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
