#!/usr/bin/env python3
"""tools/gpu-check without a GPU: it says so; and on a made-up one it checks what it should. Prints TAP.

    test_gpu_check.py PT2TRACE SOURCE [LIBPT2TRACE_GPU FAKE_CUPTI FAKE_CUDA]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from tap import Tap


def gpu_check(source, build, python, out, **environment):
    done = subprocess.run([sys.executable, source / "tools" / "gpu-check", "--python", python, "--build", build, "--out", out,
                           "--steps", "3"], env={**os.environ, **environment}, capture_output=True, text=True, timeout=300)
    return done, json.loads((out / "gpu-check.json").read_text()) if (out / "gpu-check.json").exists() else []


def main():
    pt2trace, source, *libraries = map(pathlib.Path, sys.argv[1:])
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        done, rows = gpu_check(source, pt2trace.parent, "/bin/false", pathlib.Path(temp) / "none")
        tap.equal("without a GPU nothing is measured, and it says so", (77, [], True),
                  (done.returncode, rows, "nothing was measured" in done.stderr))
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
