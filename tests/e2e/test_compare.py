#!/usr/bin/env python3
"""The program that compares files of arrays and tensors for `pt2trace run` agrees with numpy and torch. Prints TAP.

usage: test_compare.py SOURCE [PYTHON]

PYTHON has PyTorch and numpy; without it, the one of tools/torch-python is used.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from tap import Tap
from torch_python import torch_python

# Pairs of files: NAME.then.SUFFIX and NAME.now.SUFFIX.
MAKE = r"""
import collections, os, sys
import numpy as np
import torch
def pair(name, then, now, suffix="pt"):
    for which, value in (("then", then), ("now", now)):
        path = f"{name}.{which}.{suffix}"
        np.save(path, value) if suffix == "npy" else np.savez(path, **value) if suffix == "npz" else torch.save(value, path)
x = torch.arange(12, dtype=torch.float32).reshape(3, 4) + 1
def changed(at, by, of=x):
    y = of.clone()
    y[at] += by
    return y
nan, inf = float("nan"), float("inf")
pair("same", {"a": x, "b": [1, (2.0, "s", None, True)]}, {"a": x.clone(), "b": [1, (2.0, "s", None, True)]})
pair("inside", {"a": [x]}, {"a": [changed((1, 2), 0.5)]})
pair("tolerated", x, changed((2, 3), 1e-4))
pair("exact", x, changed((2, 3), 1e-5))
pair("half", x.half(), changed((0, 1), 0.002, x.half()))
pair("bfloat", x.bfloat16(), changed((0, 1), 0.03, x.bfloat16()))
pair("double", x.double(), changed((0, 0), 1e-6, x.double()))
pair("integers", torch.tensor([2**62 + 1]), torch.tensor([2**62]))
pair("booleans", torch.tensor([True, False]), torch.tensor([True, True]))
pair("nans", torch.tensor([nan, 1.0]), torch.tensor([nan, 1.0]))
pair("nan now", torch.tensor([1.0, 2.0]), torch.tensor([1.0, nan]))
pair("nan then", torch.tensor([nan, 2.0]), torch.tensor([1.0, 2.0]))
pair("infinite", torch.tensor([inf]), torch.tensor([-inf]))
pair("shapes", x, x[:2])
pair("types", x, x.double())
pair("missing", {"a": x, "b": x}, {"a": x})
pair("more", [x], [x, x])
pair("numbers", {"loss": 0.5, "steps": 3}, {"loss": 0.75, "steps": 3})
pair("whole", {"steps": 3}, {"steps": 4})
pair("texts", ["a"], ["b"])
pair("kinds", [x], [1.0])
pair("empty", torch.empty(0, 3), torch.empty(0, 3))
pair("complex", torch.tensor([1 + 1j]), torch.tensor([1 + 2j]))
pair("sparse", x.to_sparse(), changed((0, 0), 1).to_sparse())
pair("parameters", torch.nn.Linear(2, 2).state_dict(), collections.OrderedDict(weight=torch.zeros(2, 2), bias=torch.zeros(2)))
pair("array", x.numpy(), changed((1, 1), 0.5).numpy(), "npy")
pair("bytes", np.array([0, 255], dtype="uint8"), np.array([1, 255], dtype="uint8"), "npy")
pair("words", np.array(["a", "b"]), np.array(["a", "c"]), "npy")
pair("arrays", {"i": x.numpy(), "j": x.numpy()}, {"i": x.numpy(), "j": changed((0, 0), 2).numpy()}, "npz")
pair("objects", np.array([{"a": 1}], dtype=object), np.array([{"a": 1}], dtype=object), "npy")
class Mine: pass
pair("class", Mine(), Mine())
deep = x
for _ in range(70):
    deep = [deep]
pair("deep", deep, deep)
class Evil:
    def __reduce__(self): return (os.system, ("touch evil",))
pair("evil", Evil(), Evil())
for which in ("then", "now"):
    open(f"garbage.{which}.pt", "wb").write(b"\0garbage")
    open(f"short.{which}.npy", "wb").write(b"\x93NUMPY\x01\0")
large = np.zeros(9_000_000, dtype="float32")
larger = large.copy()
larger[8_999_999] = 1
pair("chunks", large, larger, "npy")
"""

ANY = object()
# outcome, where, then, now, max_abs, max_rel (None: not finite). Tolerances but the default stand behind the name.
TRUTH = {
    "same.pt": ("same", "", "", "", 0, 0),
    "inside.pt": ("different", "['a'][0][1, 2]", "7.0", "7.5", 0.5, 0.5 / 7),
    "tolerated.pt": ("same", "[2, 3]", "12.0", ANY, 1e-4, 1e-4 / 12),
    "exact.pt|0|0": ("different", "[2, 3]", "12.0", ANY, 1e-5, 1e-5 / 12),
    "exact.pt|-1|0": ("same", "[2, 3]", "12.0", ANY, 1e-5, 1e-5 / 12),
    "half.pt": ("same", "[0, 1]", "2.0", ANY, 0.002, 0.001),
    "bfloat.pt": ("same", "[0, 1]", "2.0", ANY, 0.03, 0.016),
    "double.pt": ("different", "[0, 0]", "1.0", "1.000001", 1e-6, 1e-6),
    "integers.pt": ("different", "[0]", str(2**62 + 1), str(2**62), 1, 2.0**-62),
    "booleans.pt": ("different", "[1]", "False", "True", 1, None),
    "nans.pt": ("same", "", "", "", 0, 0),
    "nan now.pt": ("different", "[1]", "2.0", "nan", None, None),
    "nan then.pt": ("different", "[0]", "nan", "1.0", None, None),
    "infinite.pt|1e9|1e9": ("different", "[0]", "inf", "-inf", None, None),
    "shapes.pt": ("different", "", "(3, 4)", "(2, 4)", 0, 0),
    "types.pt": ("different", "", "float32", "float64", 0, 0),
    "missing.pt": ("different", "['b']", "", "", 0, 0),
    "more.pt": ("different", "", "1", "2", 0, 0),
    "numbers.pt": ("different", "['loss']", "0.5", "0.75", 0.25, 0.5),
    "whole.pt": ("different", "['steps']", "3", "4", 1, 1 / 3),
    "texts.pt": ("different", "[0]", "a", "b", 0, 0),
    "kinds.pt": ("different", "[0]", "Tensor", "float", 0, 0),
    "empty.pt": ("same", "", "", "", 0, 0),
    "complex.pt": ("different", "[0]", "(1+1j)", "(1+2j)", 1, 0.5**0.5),
    "sparse.pt": ("different", "[0, 0]", "1.0", "2.0", 1, 1),
    "array.npy": ("different", "[1, 1]", "6.0", "6.5", 0.5, 0.5 / 6),
    "bytes.npy": ("different", "[0]", "0", "1", 1, None),
    "words.npy": ("different", "[1]", "b", "c", 0, 0),
    "arrays.npz": ("different", "['j'][0, 0]", "1.0", "3.0", 2, 2),
    "chunks.npy": ("different", "[8999999]", "0.0", "1.0", 1, None),
}
REFUSED = {"objects.npy": "pickle", "class.pt": "weights_only", "deep.pt": "nested", "evil.pt": "weights_only", "garbage.pt": "cannot be read",
           "short.npy": "cannot be read", "absent.pt": "cannot be read"}


# All of them in one process: importing PyTorch takes longer than anything else here.
ASK = """
import json, sys
sys.path.insert(0, sys.argv[1])
import compare
for then, now, answer, rtol, atol in json.load(open("asked.json")):
    compare.main(then, now, answer, rtol, atol)
"""


def arguments(number, asked):
    """Of the program: "exact.pt|0|0" names two files and both tolerances."""
    name, *tolerances = asked.split("|")
    stem, suffix = name.rsplit(".", 1)
    return [f"{stem}.then.{suffix}", f"{stem}.now.{suffix}", f"answer.{number}.json", *(tolerances or ["-1", "-1"])]


def answers(python, program, folder, names):
    """What it says of each."""
    asked = [arguments(number, name) for number, name in enumerate(names)]
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    subprocess.run([python, "-c", ASK, str(program.parent)], cwd=folder, check=True, capture_output=True, timeout=300)
    return {name: json.loads((folder / of[2]).read_text()) for name, of in zip(names, asked)}


def is_near(expected, found):
    return expected == found if None in (expected, found) else abs(expected - found) <= 0.05 * abs(expected)


def complaints(expected, found):
    texts, numbers = dict(zip(("outcome", "where", "then", "now"), expected)), dict(zip(("max_abs", "max_rel"), expected[4:]))
    wrong = [f"{key}: expected {value!r}, found {found.get(key)!r}" for key, value in texts.items() if value not in (ANY, found.get(key))]
    wrong += [f"{key}: expected {value!r}, found {found.get(key)!r}" for key, value in numbers.items() if not is_near(value, found.get(key))]
    return wrong + [found.get("why", "")] if wrong else []


def main(source, python=None):
    tap, program = Tap(), pathlib.Path(source, "src", "relaunch", "hook", "compare.py").resolve()
    python, why_not = (python, None) if python else torch_python(source)
    if not python:
        tap.skip("files of arrays and tensors", why_not)
        return tap.end()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "make.py").write_text(MAKE, encoding="utf-8")
        subprocess.run([python, "make.py"], cwd=folder, check=True, capture_output=True, timeout=300)
        found = answers(python, program, folder, [*TRUTH, *REFUSED, "parameters.pt"])
        for name, expected in TRUTH.items():
            tap.empty(name, complaints(expected, found[name]))
        for name, word in REFUSED.items():
            tap.point(f"{name} is not compared, and why", found[name]["outcome"] == "not-compared" and word in found[name]["why"],
                      found[name])
        tap.point("nothing of a file was executed", not (folder / "evil").exists())
        tap.equal("what a module has for parameters", ("different", True),
                  (found["parameters.pt"]["outcome"], found["parameters.pt"]["where"].startswith("['")))
        done = subprocess.run([python, program, *arguments("line", "inside.pt")], cwd=folder, capture_output=True, timeout=300, check=False)
        tap.equal("as a program", (0, found["inside.pt"]), (done.returncode, json.loads((folder / "answer.line.json").read_text())))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
