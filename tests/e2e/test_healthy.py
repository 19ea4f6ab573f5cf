#!/usr/bin/env python3
"""Jobs under real PyTorch: no alarm on healthy ones, and of sick ones the rank and the line first. Prints TAP.

usage: test_healthy.py PT2TRACE SOURCE_ROOT [NAME...]

Launches some seventy processes of PyTorch, which takes minutes: suite `long`.
"""

import os
import pathlib
import shutil
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
    "pipeline_widths": (3, False),
    "tensor_parallel": (4, False),
    "two_dimensions": (4, False),
    "guards_on_rank": (4, False),
    "shared_cache": (8, True),
    "warm_caches": (4, False),
    "sizes_of_ranks": (3, False),
    "seeds": (3, False),
    "validates": (3, False),
    "last_batch": (3, False),
}

# Jobs in which one rank does more than the others, which is reported as information.
MORE = {"validates": 0, "last_batch": 2}

# For each job of sick_job.py what the first finding is about.
SICK = {
    "branch": ("rank-divergence", "rank 1 got "),
    "missing": ("rank-divergence", "rank 1 got "),
    "swapped": ("rank-divergence", "rank 1 got "),
    "dtype": ("rank-divergence", "rank 1 got "),
    "reduction": ("rank-divergence", "rank 1 got "),
    "broken": ("rank-divergence", "rank 1 broke the graph"),
    "fails": ("error", ""),
    "method": ("rank-divergence", "rank 1 got "),
}

# What is said of ranks that did the same; anything else of rank-* or collective-* is a false alarm.
HARMLESS = {"rank-difference"}

# How long ranks take is of the machine that they share, and of the caches that some lack.
OF_TIME = {"rank-straggler", "rank-start"}

# Jobs that run a second time, when these ranks still have what they compiled in the first.
WARM = {"warm_caches": (0, 2)}


def launch(python, temp, name, program="healthy_job.py", ranks=3, shared=False, logs="", caches=None):
    """Runs a job, and returns the folders of its traces and logs."""
    out = temp / name
    (out / "cache").mkdir(parents=True)
    variables = {**os.environ, "TORCH_TRACE": str(out / "trace"), "OMP_NUM_THREADS": "1", "PYTHONPATH": "", "TMPDIR": str(out)}
    variables.pop("TORCHINDUCTOR_CACHE_DIR", None)
    if shared:
        variables["TORCHINDUCTOR_CACHE_DIR"] = str(out / "cache")
    if caches:
        variables["HEALTHY_CACHES"] = str(caches)
    if logs:
        variables["TORCH_LOGS"] = logs
    command = [python, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks), "--log-dir", str(out / "logs"),
               "--redirects", "3", str(pathlib.Path(__file__).with_name(program)), name]
    done = subprocess.run(command, env=variables, cwd=out, capture_output=True, text=True, timeout=900, check=False)
    return out / "trace", out / "logs", None if done.returncode == 0 else done.stdout[-2000:] + done.stderr[-4000:]


def launch_warm(python, temp, name, ranks, warm):
    """Runs a job whose caches only these ranks have filled before."""
    caches = temp / "caches"
    _, _, failed = launch(python, temp / "cold", name, ranks=ranks, caches=caches)
    for rank in {*range(ranks)} - {*warm}:
        shutil.rmtree(caches / str(rank))
    return (None, None, failed) if failed else launch(python, temp, name, ranks=ranks, caches=caches)


def check_warm(tap, name, report, warm):
    """The ranks with a warm cache, and no others, found what they compile."""
    found = {c["rank"] for c in report["compiles"] if "hit" in c["cache"].values()}
    tap.equal(f"{name}: ranks that found something", set(warm), found)


def check(tap, pt2trace, python, temp, name):
    ranks, shared = JOBS[name]
    if name in WARM:
        trace, _, failed = launch_warm(python, temp, name, ranks, WARM[name])
    else:
        trace, _, failed = launch(python, temp, name, ranks=ranks, shared=shared)
    if not tap.point(f"{name}: the job runs", failed is None, failed):
        return
    report = report_of(pt2trace, temp / f"{name}-report", trace)
    tap.equal(f"{name}: all ranks are compared", (list(range(ranks)), True), (report["ranks"]["present"], report["ranks"]["compared"]))
    tap.point(f"{name}: something was compiled", report["totals"]["compiles"] >= ranks, report["totals"])
    verdict = f"{ranks - 1} alike, rank {MORE[name]} differs" if name in MORE else "all compiled the same program"
    tap.equal(f"{name}: the verdict", [f"{ranks} ranks: {verdict}"], [run["verdict"].split(";")[0] for run in report["ranks"]["runs"]])
    if name in WARM:
        check_warm(tap, name, report, WARM[name])
    tap.empty(f"{name}: no deadlock", [run["hang"] for run in report["ranks"]["runs"] if run["hang"]])
    tap.equal(f"{name}: whether ranks diverge", name in MORE, bool(report["ranks"]["divergences"]))
    if name in MORE:
        tap.point(f"{name}: it is said what the rank does besides",
                  any(f"rank {MORE[name]} more" in f["title"] for f in report["findings"]), [f["title"] for f in report["findings"]])
    tap.empty(f"{name}: no alarm", [f"{f['severity']} {f['title']}" for f in report["findings"]
                                    if f["id"].startswith(("rank-", "collective-")) and f["id"] not in HARMLESS | OF_TIME])
    tap.empty(f"{name}: what differs is information", [f["title"] for f in report["findings"]
                                                       if f["id"] in HARMLESS and f["severity"] != "info"])


def check_sick(tap, pt2trace, python, temp, name):
    """The first finding names the rank and the line, in a trace as in the logs."""
    trace, logs, _ = launch(python, temp, name, "sick_job.py", logs="graph_breaks,recompiles,graph_code,guards")
    code = pathlib.Path(__file__).with_name("sick_job.py").read_text(encoding="utf-8").splitlines()
    [line] = [number for number, text in enumerate(code, 1) if text.endswith(f"# HERE {name}")]
    for what, folder in (("trace", trace), ("logs", logs)):
        first = report_of(pt2trace, temp / f"{name}-{what}", folder)["findings"][0]
        id, words = SICK[name]
        tap.point(f"{name}, {what}: the first finding is about it", first["id"].startswith(id) and words in first["title"] and 1 in first["ranks"], first)
        tap.equal(f"{name}, {what}: and names the line", ("sick_job.py", line), (pathlib.Path(first["file"] or "-").name, first["line"]))


def main(pt2trace, source, *names):
    tap = Tap()
    python, why = torch_python(source)
    if not tap.point("PyTorch is there", python is not None, why):
        return tap.end()
    with tempfile.TemporaryDirectory(prefix="pt2trace-healthy-") as temp:
        for name in names or (*JOBS, *SICK):
            (check if name in JOBS else check_sick)(tap, pt2trace, python, pathlib.Path(temp), name)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
