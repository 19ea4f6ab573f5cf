#!/usr/bin/env python3
"""tools/gpu-check without a GPU: it says so; and on a made-up one it checks what it should. Prints TAP.

    test_gpu_check.py PT2TRACE SOURCE [LIBPT2TRACE_GPU FAKE_CUPTI FAKE_CUDA]
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tap import Tap


def gpu_check(source, build, python, out, **environment):
    done = subprocess.run([sys.executable, source / "tools" / "gpu-check", "--python", python, "--build", build, "--out", out,
                           "--only", "measure", "--steps", "3"], env={**os.environ, **environment}, capture_output=True, text=True, timeout=300)
    return done, json.loads((out / "gpu-check.json").read_text()) if (out / "gpu-check.json").exists() else []


SAYS = """# fails: no till
# fix pay: newer PyTorch
# fix steal: a word that no answer has
from variant import FIX, result
if not FIX:
    raise __import__("builtins").type("InductorError", (Exception,), {"__module__": "torch._inductor.exc"})("no till")
result(3.0 if FIX == "pay" else 4.0)
"""


def check_programs(tap, source):
    """Each says what it is for, and its code has each fix."""
    sys.path.insert(0, str(source / "tools"))
    from gpucheck import advice
    for program in advice.programs():
        code = program.path.read_text()
        lacking = [name for name in program.named["fix"] if f'"{name}"' not in code and name not in program.named["variable"]]
        for words in (*program.named["fix"].values(), *program.named["shows"].values()):
            re.compile(words)
        tap.point(f"{program.name}: what must be seen, and its fixes", not lacking and
                  {"fails", "warns", "finding", "never"} & set(program.one), lacking)


def check_advice(tap, source, pt2trace, temp):
    """A fix that nothing advises, and whose result differs, is found out."""
    from gpucheck import advice
    advice.PROGRAMS = temp / "programs"
    advice.PROGRAMS.mkdir()
    (advice.PROGRAMS / "shop.py").write_text(SAYS)
    (advice.PROGRAMS / "variant.py").write_text((source / "tests" / "advice" / "gpu" / "variant.py").read_text())
    rows = []

    def report(*paths, folder):
        subprocess.run([pt2trace, "report", "-q", "--no-browser", "--overwrite", "-o", folder, *paths], check=True)
        return json.loads((folder / "report.json").read_text())

    def row(what, measured, passed):
        rows.append((what, passed))
        return passed

    advice.follow(argparse.Namespace(python=sys.executable, pt2trace=pt2trace, out=temp, report=report, row=row), ["shop"], 1)
    tap.equal("advice that holds, and what is no advice", [("shop: the problem", True), ("shop: pay", True), ("shop: steal", False)],
              rows)


def main():
    pt2trace, source, *libraries = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        done, rows = gpu_check(source, pt2trace.parent, "/bin/false", pathlib.Path(temp) / "none")
        tap.equal("without a GPU nothing is measured, and it says so", (77, [], True),
                  (done.returncode, rows, "nothing was measured" in done.stderr))
        check_programs(tap, source)
        check_advice(tap, source, pt2trace, pathlib.Path(temp))
        if not libraries:
            tap.skip("on a made-up GPU", "built without the headers of CUPTI")
            return tap.end()
        python, where = source / "tests" / "gpu" / "fake_python.py", str(libraries[1].parent)
        done, rows = gpu_check(source, pt2trace.parent, python, pathlib.Path(temp) / "good", FAKE_LIBRARIES=where)
        tap.empty("on a made-up GPU all is well", [row for row in rows if row["passed"] is False] or done.stderr.splitlines())
        tap.point("every part is there", done.returncode == 0 and len(rows) == 17, rows)
        done, rows = gpu_check(source, pt2trace.parent, python, pathlib.Path(temp) / "slow", FAKE_LIBRARIES=where, FAKE_SLOW="1.2")
        failed = [row["what"] for row in rows if row["passed"] is False]
        tap.equal("times that differ by a fifth are found out", (1, ["default: kernels against torch.profiler",
                                                                     "reduce-overhead: kernels against torch.profiler"]),
                  (done.returncode, failed))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
