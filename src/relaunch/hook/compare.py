"""Compares two files of arrays or tensors that two launches of a program wrote, for `pt2trace run`.

usage: compare.py THEN NOW ANSWER RTOL ATOL

The files are .npy, .npz, .pt, .pth or .safetensors: numbers, texts, arrays and tensors in lists, tuples and dictionaries.
Nothing in them is ever executed: pickles are refused by numpy, and read by torch with weights_only. ANSWER becomes one
object of JSON; relaunch/file_check.c reads it. A number is the same as one before when |now - then| <= ATOL + RTOL * |then|;
a tolerance below 0 stands for the one of its type in TOLERANCES. NaN is the same as NaN, and as nothing else.
"""

import json
import math
import sys

# What PyTorch itself takes for the same in comparing compiled with eager. float32: `tol` of torch._dynamo.utils.same, which
# PyTorch's own benchmarks are held to; float16: repro_tolerance, of the accuracy minifier; float64 and bfloat16:
# torch.testing.assert_close, the absolute one of bfloat16 as wide as the relative. float8: one unit in the last place.
# All others (integers, booleans) have to be equal.
TOLERANCES = {"float64": (1e-7, 1e-7), "complex128": (1e-7, 1e-7), "float32": (1e-4, 1e-4), "complex64": (1e-4, 1e-4),
              "float16": (1e-3, 1e-3), "complex32": (1e-3, 1e-3), "bfloat16": (1.6e-2, 1.6e-2),
              "float8_e4m3fn": (0.125, 0.125), "float8_e4m3fnuz": (0.125, 0.125), "float8_e5m2": (0.25, 0.25),
              "float8_e5m2fnuz": (0.25, 0.25)}
CHUNK = 1 << 22  # elements that are compared at once
DEPTH = 64


class Refused(Exception):
    """Why the files cannot be compared."""


class Comparison:
    """What was found so far. `worst` is how much further than allowed the place in `where` is off."""

    def __init__(self, rtol, atol):
        self.rtol, self.atol = rtol, atol
        self.different, self.where, self.then, self.now, self.why = False, "", "", "", ""
        self.max_abs = self.max_rel = 0.0
        self.worst = -1.0
        self.values = self.numbers = self.nans = 0

    def tolerances(self, dtype):
        rtol, atol = TOLERANCES.get(dtype, (0.0, 0.0))
        return (rtol if self.rtol < 0 else self.rtol, atol if self.atol < 0 else self.atol)

    def odd(self, where, why, then="", now=""):
        """Something is not of the same kind: it weighs more than any number."""
        self.different = True
        if self.worst < math.inf:
            self.worst, self.where, self.why, self.then, self.now = math.inf, where, why, shown(then), shown(now)

    def number(self, then, now, rtol, atol, where):
        """One pair of numbers; keeps the worst."""
        off = difference(then, now)
        if not off:
            return
        size = 0.0 if is_nan(then) else abs(then)
        allowed = atol + rtol * size if off < math.inf else 0.0
        self.different |= off > allowed
        excess = off / allowed if allowed else math.inf
        if excess > self.worst:
            self.worst, self.where, self.then, self.now = excess, where, shown(then), shown(now)
        self.max_abs = max(self.max_abs, off)
        self.max_rel = max(self.max_rel, off / size if 0 < size < math.inf else math.inf)

    def answer(self):
        return {"outcome": "different" if self.different else "same", "where": shown(self.where), "why": self.why,
                "then": self.then, "now": self.now, "max_abs": finite(self.max_abs), "max_rel": finite(self.max_rel),
                "values": self.values, "numbers": self.numbers, "nans": self.nans}


def finite(number):
    return number if math.isfinite(number) else None


def shown(value):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 200 else text[:200] + "..."


def is_nan(value):
    return value != value


def difference(then, now):
    if then == now or (is_nan(then) and is_nan(now)):
        return 0.0
    off = abs(now - then)
    return math.inf if is_nan(off) else float(off)


# --- arrays --------------------------------------------------------------------------------------------------------------


def name_of(dtype):
    return str(dtype).replace("torch.", "")


def plain(tensor):
    """A dense tensor on the CPU that can be computed with."""
    tensor = tensor.detach().cpu()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    return (tensor.to_dense() if tensor.layout is not sys.modules["torch"].strided else tensor).resolve_conj().resolve_neg()


def wide(array):
    """In a type in which differences can be taken."""
    if hasattr(array, "detach"):
        torch = sys.modules["torch"]
        return array.to(torch.complex128 if array.is_complex() else torch.float64)
    return array.astype("complex128" if array.dtype.kind == "c" else "float64")


def compare_arrays(found, then, now, where):
    """Both are of numpy, or both of torch."""
    found.values += 1
    if tuple(then.shape) != tuple(now.shape):
        return found.odd(where, "the shapes differ", str(tuple(then.shape)), str(tuple(now.shape)))
    if then.dtype != now.dtype:
        return found.odd(where, "the types differ", name_of(then.dtype), name_of(now.dtype))
    flat_then, flat_now = then.reshape(-1), now.reshape(-1)
    for at in range(0, flat_then.shape[0], CHUNK):
        compare_chunk(found, flat_then[at:at + CHUNK], flat_now[at:at + CHUNK], at, tuple(then.shape), where)
    return None


def compare_chunk(found, then, now, begin, shape, where):
    """The worst places decide: which differs most, and which most for its size."""
    rtol, atol = found.tolerances(name_of(then.dtype))
    if getattr(then.dtype, "kind", "f") not in "fciub":
        return compare_other(found, then, now, begin, shape, where)
    found.numbers += then.shape[0]
    nan_then, nan_now = then != then, now != now
    found.nans += int(nan_now.sum())
    differs = (then != now) & ~(nan_then & nan_now)
    if not bool(differs.any()):
        return None
    off, size = abs(wide(now) - wide(then)), abs(wide(then))
    off[(off != off) | (differs & (off == 0))] = math.inf  # NaN, or whole numbers that are too large for float64
    off[~differs] = 0.0
    size[size != size] = 0.0
    for scores in (off / (atol + rtol * size + 1e-300), off, off / (size + 1e-300)):
        worst = int(scores.argmax())
        found.number(then[worst].item(), now[worst].item(), rtol, atol, where + place(begin + worst, shape))
    return None


def compare_other(found, then, now, begin, shape, where):
    """Texts, dates, records."""
    for i in range(then.shape[0]):
        if then[i] != now[i]:
            return found.odd(where + place(begin + i, shape), "the values differ", str(then[i]), str(now[i]))
    return None


def place(index, shape):
    out = []
    for size in reversed(shape):
        out.append(index % size)
        index //= size
    return "[%s]" % ", ".join(map(str, reversed(out))) if out else ""


# --- what holds them -----------------------------------------------------------------------------------------------------


def compare(found, then, now, where="", depth=0):
    if depth > DEPTH:
        raise Refused("%s is nested more than %d deep" % (where[:100], DEPTH))
    if is_tensor(then) and is_tensor(now):
        compare_arrays(found, plain(then), plain(now), where)
    elif is_array(then) and is_array(now):
        compare_arrays(found, then, now, where)
    elif isinstance(then, dict) and isinstance(now, dict):
        compare_dicts(found, then, now, where, depth)
    elif isinstance(then, (list, tuple)) and isinstance(now, (list, tuple)):
        compare_lists(found, then, now, where, depth)
    else:
        compare_values(found, then, now, where)


def is_tensor(value):
    return "torch" in sys.modules and isinstance(value, sys.modules["torch"].Tensor)


def is_array(value):
    return hasattr(value, "dtype") and hasattr(value, "reshape") and not is_tensor(value)


def compare_dicts(found, then, now, where, depth):
    for key in then:
        if key not in now:
            found.odd("%s[%r]" % (where, key), "it is missing now")
    for key in now:
        if key not in then:
            found.odd("%s[%r]" % (where, key), "it was not there then")
        else:
            compare(found, then[key], now[key], "%s[%r]" % (where, key), depth + 1)


def compare_lists(found, then, now, where, depth):
    if len(then) != len(now):
        found.odd(where, "the lengths differ", len(then), len(now))
    for i, (one, other) in enumerate(zip(then, now)):
        compare(found, one, other, "%s[%d]" % (where, i), depth + 1)


def is_number(value):
    return isinstance(value, (int, float, complex)) and not isinstance(value, bool)


def compare_values(found, then, now, where):
    found.values += 1
    if is_number(then) and is_number(now):
        found.numbers += 1
        found.nans += is_nan(now)
        whole = isinstance(then, int) and isinstance(now, int)
        found.number(then, now, *found.tolerances("int64" if whole else "float32"), where)
    elif type(then) is not type(now):
        found.odd(where, "the types differ", type(then).__name__, type(now).__name__)
    elif isinstance(then, (bool, str, bytes, type(None), set, frozenset)):
        if then != now:
            found.odd(where, "the values differ", then, now)
    elif str(then) != str(now):  # torch.dtype, torch.Size, torch.device and the like
        found.odd(where, "the values differ", str(then), str(now))


# --- files ---------------------------------------------------------------------------------------------------------------


def read_numpy(path):
    import numpy

    loaded = numpy.load(path, allow_pickle=False)
    return dict(loaded) if isinstance(loaded, numpy.lib.npyio.NpzFile) else loaded


def read_torch(path):
    import pickle

    import torch

    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        lines = [line.strip() for line in str(error).splitlines() if "nsupported" in line or "WeightsUnpickler error" in line]
        raise Refused("only tensors, numbers and texts are loaded (weights_only). %s" % (lines or ["It is none."])[0][:300])


def read_safetensors(path):
    from safetensors.torch import load_file

    return load_file(path)


READERS = {".npy": read_numpy, ".npz": read_numpy, ".pt": read_torch, ".pth": read_torch, ".safetensors": read_safetensors}


def first_line(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:300] if lines else type(error).__name__


def read(path, which):
    try:
        return READERS["." + path.rsplit(".", 1)[-1].lower()](path)
    except Exception as error:
        raise Refused("the file of %s cannot be read: %s" % (which, first_line(error)))


def answer_of(then, now, rtol, atol):
    found = Comparison(rtol, atol)
    try:
        compare(found, read(then, "the first run"), read(now, "this run"))
    except Refused as error:
        return {"outcome": "not-compared", "why": str(error)}
    except (MemoryError, RuntimeError, TypeError, ValueError) as error:
        return {"outcome": "not-compared", "why": "%s: %s" % (type(error).__name__, first_line(error))}
    return found.answer()


def main(then, now, path, rtol, atol):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(answer_of(then, now, float(rtol), float(atol)), out)


if __name__ == "__main__":
    main(*sys.argv[1:])
