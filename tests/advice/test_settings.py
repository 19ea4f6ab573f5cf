#!/usr/bin/env python3
"""Whether what answers give to paste is there in PyTorch, and takes what it is given. Writes TAP.

usage: test_settings.py SOURCE [--torch VERSION]... [--look-up] [--show]

All code between backticks in the texts of src/torchlog and src/analysis is looked up under real PyTorch, and run where it can be: names,
arguments of calls, modes, backends, options of Inductor, settings and the types of their values, and environment variables. What a version
lacks must be said beside it ("2.7 and later"), as src/text/names/by_version.txt knows it. Versions that are not installed are skipped.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE)]

from answer_code import FORMAT, SETTING, SPAN, VARIABLE, answer_texts, texts_of  # noqa: E402
from tap import Tap  # noqa: E402

DEFAULT = "2.13.0"
NUMBER = re.compile(r"(?<![\d.])2\.(\d+)(?!\d)")
# Stands for what a format leaves open; what has it cannot be tried.
OPEN = "_open_"
# Variables of other programs, which no PyTorch reads.
OTHERS = re.compile(r"VLLM_|RAY_|UNSLOTH_|PT_XLA_|PT_HPU_|ACCELERATE_|DYNAMO_USE_DYNAMIC|PT2TRACE_|CUDA_INJECTION64_PATH|OMP_|NCCL_|CMAKE_|DCMAKE_")
# Only a PyTorch for CUDA has what reads them.
OF_CUDA = re.compile(r"TORCH_NCCL_|TORCH_FR_")
# Backends of packages that must be imported first, as their answers say.
BACKENDS = re.compile(r"there is no backend (?:tensorrt|torch_tensorrt|openvino|onnxrt|openxla|tvm)$")
# Code that fails here, or that is no text to paste: why it may.
EXCEPTIONS = {
    "LAYOUT_OPTIMIZATION=0": "words of a user, by which a setting is recognized",
    "x.item()": "of a tensor with one element",
    "empty_like(x, memory_format=torch.channels_last)": "of a tensor with four dimensions",
    "torch.view_as_real(x)": "of a complex tensor",
    "full((n, m), value)": "of sizes and a number",
    "model.cell = torch.compile(model.cell)": "of a model with that part",
    "x.to_padded_tensor(0.0)": "of a jagged tensor",
    "x.values()": "of a jagged tensor",
    "x.repeat_interleave(counts, output_size=total)": "of counts for each row",
    "torch.optim.AdamW(fused=True)": "stands for the call with parameters",
}


# What the table of names does not know: the first version in which code works.
SINCE = {
    "AOTI_RUNTIME_CHECK_INPUTS=1": "2.7",  # read by C++
    "Dim.AUTO(max=512)": "2.8",
    "torch._inductor.package.package_aoti(\"shop.pt2\", {\"prefill\": files1, \"decode\": files2})": "2.6",
    "torch._inductor.package.load_package(path, num_runners=4)": "2.8",
}


class Item:
    """One piece of code, and the texts that have it."""

    def __init__(self, kind, code):
        self.kind, self.code, self.texts = kind, code, []


def items_of(texts):
    items = {}
    for text in texts:
        words = FORMAT.sub(OPEN, text.words)
        codes = [("code", m[1].strip()) for m in SPAN.finditer(words)] + [("code", m[0]) for m in SETTING.finditer(words)]
        codes += [("variable", f"{m[1]}={m[2]}") for m in VARIABLE.finditer(words)]
        for kind, code in codes:
            if OPEN not in code and not (kind == "variable" and OTHERS.match(code)):
                items.setdefault((kind, code), Item(kind, code)).texts.append(text)
    return list(items.values())


class Names:
    """The versions that have a name, from the table of names: (first, last) of their second numbers."""

    def __init__(self, source):
        self.ranges, self.words, self.of_variable = {}, {}, {}
        for line in pathlib.Path(source, "src/text/names/by_version.txt").read_text(encoding="utf-8").splitlines()[1:]:
            kind, name, first, last, *words = line.split("\t")
            where = (minor(first), minor(last) if last else 99)
            if kind != "limit":
                self.ranges[name] = where
            self.of_variable.update((word[1:], where) for word in words if kind == "setting" and word.startswith("$"))
            for word in words if kind == "api" else ():
                word, _, since = word.partition("@")
                if since:
                    first, _, last = since.partition("-")
                    self.words[name, word.lstrip("*")] = (minor(first), minor(last) if last else 99)

    def of_problem(self, problem):
        """The versions that have what a problem says is not there, or None."""
        at = re.search(r"there is no (?:mode |backend )?(\S+)$|nothing reads (\S+)$|Inductor has no option (\S+)$|Invalid log .*'(\S+)'", problem)
        if at:
            name = at[1] or at[2] or at[4] or "torch._inductor.config." + at[3]
            below = [where for other, where in self.ranges.items() if other.startswith(name + ".")]
            return self.ranges.get(name) or self.of_variable.get(name) or (below and (min(w[0] for w in below), max(w[1] for w in below))) or None
        at = re.search(r"(torch\.[\w.]+)(?:: got an unexpected keyword argument|.* has no argument) '?(\w+)'?", problem)
        return self.words.get((at[1], at[2])) if at else None


def minor(version):
    return int(version.split(".")[1])


def is_said(text, at, where):
    """
    Whether an answer says that a version, as number, is outside of those that have a thing. Findings know the version, and
    ask the table of names themselves; test_proofs.py and proven.tsv are about that.
    """
    if text.place.startswith("src/analysis/") and not text.place.startswith("src/analysis/known_errors/"):
        return not where[0] <= at <= where[1]
    words = " ".join(text.row or [text.words])
    first, last = where
    if at < first:  # said exactly, or by what goes before; or the answer is for later ones, which have it
        later = [int(m[1]) for m in re.finditer(r"(?<![\d.])2\.(\d+) and later", words)]
        before = [int(m[1]) + 1 for m in re.finditer(r"up to 2\.(\d+)", words)]
        return first in numbers_in(words) or first in before or any(n >= first for n in later)
    return any(last <= n <= at for n in numbers_in(words)) if at > last else False


def numbers_in(words):
    return [int(m[1]) for m in NUMBER.finditer(words)]


def unexcused(item, problems, version, names):
    """The problems that no text with this code speaks of."""
    for problem in problems:
        where = (minor(SINCE[item.code]), 99) if item.code in SINCE else names.of_problem(problem)
        variable = item.kind == "variable" and OF_CUDA.match(item.code) and item.code.partition("=")[0] in names.ranges
        if item.code in EXCEPTIONS or BACKENDS.match(problem) or variable:
            continue
        for text in item.texts:
            if where is None or not is_said(text, minor(version), where):
                yield f"{text.place}: {item.code}: {problem}" + (f" (2.{where[0]} to 2.{where[1]})" if where else "")


def tried(python, items, words=()):
    """What torch_answers.py says of each."""
    clean = {name: value for name, value in os.environ.items() if "TORCH" not in name and "PYTHON" not in name}
    with tempfile.TemporaryDirectory() as folder:
        clean.update(OMP_NUM_THREADS="1", TMPDIR=folder, TORCHINDUCTOR_CACHE_DIR=folder + "/cache", PYTHONDONTWRITEBYTECODE="1")
        done = subprocess.run([python, HERE / "torch_answers.py", *words], input=json.dumps([[item.kind, item.code] for item in items]),
                              capture_output=True, text=True, env=clean, cwd=folder)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout)


def python_of(source, version):
    done = subprocess.run([sys.executable, pathlib.Path(source, "tools/torch-python"), "--no-install", version], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


# Each has one thing that no version takes.
BAD = ("torch._dynamo.no_such(x)", "torch._inductor.config.no_such = True", "torch._inductor.config.compile_threads = \"many\"",
       "torch._dynamo.config.capture_scalar_outputs = 1", "torch._inductor.config.triton.no_such = 1", "torch.compile(model, no_such=True)",
       "torch.compile(f, mode=\"no-such\")", "torch.compile(f, backend=\"no-such\")", "torch.compile(f, options={\"no_such\": 1})",
       "mode=\"no-such\"", "{\"triton.no_such\": True}", "torch.sort(x, no_such=True)", "torch.compiler.set_stance(\"no_such\")",
       "x.no_such()", "with torch._inductor.config.patch(no_such=True):", "optimizer.zero_grad(no_such=True)",
       "torch.no_such_name", "model.compile(no_such=1)", "torch.utils.checkpoint.set_checkpoint_early_stop(False)")
BAD_VARIABLES = ("TORCH_LOGS=no_such", "TORCHINDUCTOR_NO_SUCH=1", "TORCHINDUCTOR_MAX_AUTOTUNE=yes", "TORCHINDUCTOR_COMPILE_THREADS=many")
SAMPLE = '''#define PART "torch._dynamo.config.a = 1`"
TOPIC(OF_ANY, "words `of.users`", "", "title", "Set `" PART ", or "
      "`TORCH_LOGS=b` (2.7 and later).")
ANSWER("its `message`", f(x, "`c()`"), "`d(%s)`")'''


def own_items():
    return [Item("code", code) for code in BAD] + [Item("variable", code) for code in BAD_VARIABLES]


def check_reader(tap):
    """On a sample: keys are no answers, and the parts of a text are one."""
    items = items_of(texts_of(pathlib.Path("a.def"), SAMPLE))
    tap.equal("the code of answers is found", ["torch._dynamo.config.a = 1", "TORCH_LOGS=b", "TORCH_LOGS=b", "c()"], [item.code for item in items])
    where = items[0].texts[0]
    tap.equal("a version that is said excuses", [True, False, False], [is_said(where, 6, (7, 99)), is_said(where, 6, (8, 99)), is_said(where, 6, (5, 5))])


def check_version(tap, version, items, names, options):
    python = python_of(options.source, version)
    if not python:
        tap.skip(f"{version}: answers", f"torch {version} is not installed")
        return
    own = own_items()
    answers = tried(python, own + items, ["--look-up"] if options.look_up else [])
    tap.empty(f"{version}: what is wrong is seen", [item.code for item, (_, problems) in zip(own, answers) if not problems])
    answers = answers[len(own):]
    counts = {"names, calls and settings": 0, "runs": 0, "variables": 0}
    for item, (checked, _) in zip(items, answers):
        counts["variables" if item.kind == "variable" else "names, calls and settings"] += bool(checked)
        counts["runs"] += "run" in checked
    if options.show:
        for item, (checked, problems) in zip(items, answers):
            print(f"# {item.code}: {', '.join(checked) or 'not checked'}{'; '.join(['', *problems])}")
    said = ", ".join(f"{count} {what}" for what, count in counts.items())
    tap.point(f"{version}: {said} are checked", counts["names, calls and settings"] > 500 and counts["variables"] > 60)
    tap.empty(f"{version}: all of them are there, or the answer says in which versions",
              [line for item, (_, problems) in zip(items, answers) for line in unexcused(item, problems, version, names)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("--torch", action="append", metavar="VERSION")
    parser.add_argument("--look-up", action="store_true", help="run no code, which takes most of the time")
    parser.add_argument("--show", action="store_true", help="each piece of code, and what was checked of it")
    options = parser.parse_args()
    tap, names = Tap(), Names(options.source)
    check_reader(tap)
    items = items_of(answer_texts(options.source))
    gone = sorted(set(EXCEPTIONS) - {item.code for item in items})
    tap.empty("each exception is of an answer", gone)
    for version in options.torch or [DEFAULT]:
        check_version(tap, version, items, names, options)
    sys.exit(tap.end())


if __name__ == "__main__":
    main()
