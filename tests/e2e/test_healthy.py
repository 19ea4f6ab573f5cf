#!/usr/bin/env python3
"""No alarm on healthy jobs: ten of them run under real PyTorch, and each report says that all ranks did the same. Prints TAP.

usage: test_healthy.py PT2TRACE SOURCE_ROOT [NAME...]

Launches some forty processes of PyTorch, which takes minutes: suite `long`.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from tap import Tap, report_of
from torch_python import torch_python

# For each job of healthy_job.py its ranks, and whether they share a cache.
JOBS = {
    "ddp": (2, True),
    "ddp_buckets": (4, False),
    "fsdp2": (2, False),
    "fsdp1": (2, False),
    "pipeline": (3, False),
    "tensor_parallel": (4, False),
    "two_dimensions": (4, False),
    "guards_on_rank": (4, False),
    "shared_cache": (8, True),
    "sizes_of_ranks": (3, False),
}

# What is said of ranks that did the same; anything else of rank-* or collective-* is a false alarm.
HARMLESS = {"rank-difference"}


def launch(python, temp, name):
    """Runs a job, and returns the folder of its traces."""
    ranks, shared = JOBS[name]
    out = temp / name
    (out / "cache").mkdir(parents=True)
    variables = {**os.environ, "TORCH_TRACE": str(out / "trace"), "OMP_NUM_THREADS": "1", "PYTHONPATH": "", "TMPDIR": str(out)}
    variables.pop("TORCHINDUCTOR_CACHE_DIR", None)
    if shared:
        variables["TORCHINDUCTOR_CACHE_DIR"] = str(out / "cache")
    command = [python, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks),
               str(pathlib.Path(__file__).with_name("healthy_job.py")), name]
    done = subprocess.run(command, env=variables, cwd=out, capture_output=True, text=True, timeout=900, check=False)
    return out / "trace", None if done.returncode == 0 else done.stdout[-2000:] + done.stderr[-4000:]


def check(tap, pt2trace, python, temp, name):
    ranks, _ = JOBS[name]
    trace, failed = launch(python, temp, name)
    if not tap.point(f"{name}: the job runs", failed is None, failed):
        return
    report = report_of(pt2trace, temp / f"{name}-report", trace)
    tap.equal(f"{name}: all ranks are compared", (list(range(ranks)), True), (report["ranks"]["present"], report["ranks"]["compared"]))
    tap.point(f"{name}: something was compiled", report["totals"]["compiles"] >= ranks, report["totals"])
    tap.equal(f"{name}: the verdict", [f"{ranks} ranks: all compiled the same program"],
              [run["verdict"] for run in report["ranks"]["runs"]])
    tap.empty(f"{name}: no divergence, no deadlock", [*report["ranks"]["divergences"],
                                                      *(run["hang"] for run in report["ranks"]["runs"] if run["hang"])])
    tap.empty(f"{name}: no alarm", [f"{f['severity']} {f['title']}" for f in report["findings"]
                                    if f["id"].startswith(("rank-", "collective-")) and f["id"] not in HARMLESS])
    tap.empty(f"{name}: what differs is information", [f["title"] for f in report["findings"]
                                                       if f["id"] in HARMLESS and f["severity"] != "info"])


def main(pt2trace, source, *names):
    tap = Tap()
    python, why = torch_python(source)
    if not tap.point("PyTorch is there", python is not None, why):
        return tap.end()
    with tempfile.TemporaryDirectory(prefix="pt2trace-healthy-") as temp:
        for name in names or JOBS:
            check(tap, pt2trace, python, pathlib.Path(temp), name)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
