#!/usr/bin/env python3
"""Any exception that speaks of PyTorch, in whatever it stands, and damaged. Prints TAP.

usage: test_any_exception.py PT2TRACE [--all]

Exceptions (of the compiler, of PyTorch, of Triton, of Python), each in wrappings (a traceback, its end, one line, what
loggers, CI and people put around it), each of them damaged (damages.py). Whatever is done: it is read, there is an error,
its title says what the message says, and where a line of the program is shown it is the place. Without --all each pair
of exception and wrapping meets a few of the damages, which rotate.
"""

import collections
import concurrent.futures
import json
import re
import sys
import tempfile

from damages import DAMAGES
from program import Program
from tap import Tap

# The line, and what of it must be in the title.
EXCEPTIONS = {
    "lowering": ("torch._inductor.exc.LoweringException: TypeError: 'Zed' object is not a quokka", "is not a quokka"),
    "inductor": ("torch._inductor.exc.InductorError: AssertionError: quokka must be even", "quokka must be even"),
    "dynamo": ("torch._dynamo.exc.InternalTorchDynamoError: KeyError: 'quokka'", "quokka"),
    "fake": ("torch._dynamo.exc.TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function "
             "<built-in method quokka>(*(FakeTensor(..., size=(3,)),), **{}): got RuntimeError('quokka has no rank')",
             "quokka has no rank"),
    "no choices": ("NoValidChoicesError: No choices to select for quokka", "No choices to select"),
    "pending": ("PendingUnbackedSymbolNotFound: Pending unbacked symbols {zuf7} not in returned outputs", "zuf7"),
    "subprocess": ("SubprocException: An exception occurred in a subprocess with a quokka", "quokka"),
    "fx": ("torch.fx.proxy.TraceError: a quokka cannot be traced", "quokka cannot be traced"),
    "accelerator": ("torch.AcceleratorError: CUDA error: quokka limit of the device", "quokka limit"),
    "dtensor": ("RuntimeError: aten.quokka.default: got mixed torch.Tensor and DTensor", "got mixed"),
    "device": ("RuntimeError: Expected all tensors to be on the same device, but found quokka and cuda:0", "same device"),
    "export": ("torch._export.verifier.SpecViolationError: quokka is not in the spec", "quokka is not in the spec"),
    "triton": ("triton.runtime.errors.PTXASError: PTXAS error: quokka registers", "quokka registers"),
    "module": ("ModuleNotFoundError: No module named 'torch._quokka'", "torch._quokka"),
    "attribute": ("AttributeError: module 'torch' has no attribute 'quokka'", "quokka"),
    "value": ("ValueError: torch.compile got 3 quokka arguments", "3 quokka arguments"),
}

FRAMES = '''  File "/home/me/venv/lib/python3.12/site-packages/torch/_dynamo/eval_frame.py", line 736, in compile_wrapper
    return fn(*args, **kwargs)
  File "/home/me/venv/lib/python3.12/site-packages/torch/_inductor/graph.py", line 1222, in run
    return super().run(*args)
'''
OWN = '  File "/home/me/shop/market.py", line 41, in total\n    return price(basket)\n'
PLACE = ("market.py", 41)

# The text, and whether it shows the line of the program.
WRAPPINGS = {
    "traceback": (lambda x: f"Traceback (most recent call last):\n{OWN}{FRAMES}{x}\n", True),
    "without its header": (lambda x: f"{OWN}{FRAMES}{x}\n", True),
    "the end of one": (lambda x: f"{FRAMES}{x}\n", False),
    "user code": (lambda x: f'{x}\n\nfrom user code:\n   File "/home/me/shop/market.py", line 41, in total\n'
                  '    return price(basket)\n\nSet TORCHDYNAMO_VERBOSE=1 for the internal stack trace (please do this '
                  "especially if you're reporting a bug to PyTorch). For even more developer context, set "
                  'TORCH_LOGS="+dynamo"\n', True),
    "one line": (lambda x: f"{x}\n", False),
    "in a sentence": (lambda x: f"With the newest version I get this error: `{x}`, what can I do?\n", False),
    "bold": (lambda x: f"It fails:\n\n**{x}**\n", False),
    "a list": (lambda x: f"Steps:\n- pip install\n- {x}\n", False),
    "a logger": (lambda x: f"2026-01-02 03:04:05,678 - trainer - ERROR - {x}\n", False),
    "logging": (lambda x: f"ERROR:trainer:{x}\n", False),
    "a rank": (lambda x: f"[rank3]: {x}\n", False),
    "an exit": (lambda x: f"Error: {x}\n", False),
    "pytest's list": (lambda x: f"FAILED tests/test_shop.py::test_total - {x}\n", False),
    "pytest's mark": (lambda x: f"E       {x}\n", False),
    "a stage": (lambda x: f"step 3 failed with exception {x}\n", False),
    "a table": (lambda x: f"| model | result |\n|---|---|\n| shop | {x} |\n", False),
    "JSON": (lambda x: '{"level": "error", "message": ' + json.dumps(x) + ', "step": 3}\n', False),
    "two ranks": (lambda x: "".join(f"[rank{r}]: {line}\n" for r in (0, 1)
                                    for line in f"Traceback (most recent call last):\n{OWN}{FRAMES}{x}".splitlines()), True),
}
DAMAGES_OF_A_PAIR = 1

# Where words were wrapped, a text of so few lines does not show: its beginning must be in the answer.
CUT = {"words wrapped"}


def plain(text):
    """Without what a page does to quotation marks, and where lines were cut."""
    return re.sub(r"\s+", "", re.sub("[\u2018\u2019\u201c\u201d'\"`]", "", text or ""))


def base(path):
    return re.split(r"[\\/]", path or "")[-1]


def fault(program, text, words, place):
    """What is wrong with the report on a text, or None."""
    done = program.run("export", "--format", "json", "-", input=text if isinstance(text, bytes) else text.encode())
    if done.returncode:
        return f"exit {done.returncode}"
    report = json.loads(done.stdout)
    if not report["errors"]:
        return "0 errors"
    titles = [x["title"] for x in report["findings"]]
    if words and not any(plain(words) in plain(title) for title in titles):
        return f"title: {titles}"
    if place and not any((base(x["file"]), x["line"]) == PLACE for x in report["errors"]):
        return f"place: {[(base(x['file']), x['line']) for x in report['errors']]}"
    return None


def main(pt2trace, *options):
    tap = Tap()
    names = [None, *DAMAGES]
    found = collections.defaultdict(list)
    number = 0
    with tempfile.TemporaryDirectory() as temp, concurrent.futures.ThreadPoolExecutor(2) as pool:
        program = Program(pt2trace, temp)
        jobs = []
        for wrapping, (wrap, place) in WRAPPINGS.items():
            for exception, (line, words) in EXCEPTIONS.items():
                chosen = names if "--all" in options else [names[(number * DAMAGES_OF_A_PAIR + i) % len(names)]
                                                           for i in range(DAMAGES_OF_A_PAIR)]
                number += 1
                for damage in chosen:
                    text = wrap(line)
                    text = DAMAGES[damage](text) if damage else text
                    expected = None if damage in CUT else words
                    jobs.append((wrapping, exception, damage, pool.submit(fault, program, text, expected, place and expected)))
        for wrapping, exception, damage, job in jobs:
            if job.result():
                found[wrapping].append(f"{exception}, {damage}: {job.result()}")
        for wrapping in WRAPPINGS:
            tap.empty(f"{wrapping}: each exception is an error", found[wrapping])
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
