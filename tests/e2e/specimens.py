"""Small inputs that have one of everything, for test_outputs.py: what no trace of testdata has, or only large ones."""

import json
import pathlib
import tempfile

import gpu_files
import test_index
from test_schema import everything, of_rank

DEVICE = {"index": 1, "name": "NVIDIA H200", "uuid": "GPU-1", "capability": "9.0", "driver": "580.95.05", "cuda": "13.0", "runtime": "12.8",
          "memory_total": 150109880320, "memory_free": 1073741824, "processors": 132, "clock_mhz": 345, "clock_most_mhz": 1980,
          "memory_clock_mhz": 2619, "memory_clock_most_mhz": 3201, "bus_bits": 6144, "temperature_c": 41, "power_mw": 77500,
          "power_limit_mw": 700000, "utilization": 37, "ecc_errors": 2, "mig": "enabled", "compute_mode": "exclusive process",
          "throttled": ["power cap", "thermal"], "users": [{"pid": 99, "memory": 1048576, "name": "python"}, {"pid": 7, "memory": None, "name": ""}]}

BASE = {"name": "base", "how": "", "command": "TORCH_TRACE=base python train.py", "environment": {"A": "1", "B": None}, "python": "/usr/bin/python3",
        "torch": "2.13.0", "end": "exited", "status": 3, "signal": -1, "start_us": 1795248000_000000, "wall_us": 12_500_000, "pid": 4711,
        "ranks": [{"rank": 0, "attempt": 1, "pid": 4711}], "peak_bytes": 7_000_000_000, "oom_kills": 0, "fresh_caches": True,
        "stacks": [{"pid": 4711, "text": "Thread 1 (most recent call first):\n  File \"/x/train.py\", line 3 in step\n"}], "failed": True, "traced": True,
        "compiles": 8, "graph_breaks": 2, "recompiles": 3, "errors": 1, "compile_us": 1_250_000, "gpu_us": 2_000_000, "calls_us": 750_000,
        "error": "ValueError: no", "stage": "dynamo"}
OTHER = {**BASE, "name": "aot_eager", "how": "backend `aot_eager`", "command": "TORCH_TRACE=aot_eager python train.py", "end": "signal", "status": -1,
         "signal": 9, "failed": False, "not_applied": "the backend was not asked for", "graph_breaks": 0, "oom_kills": 1, "fresh_caches": False,
         "checks": [{"what": "exit", "outcome": outcome, "detail": f"{outcome} is what it is"} for outcome in ("same", "different", "unknown")],
         "changes": [{"gone": True, "kind": "graph break", "text": "`print` at train.py:3"}, {"gone": False, "kind": "error", "text": "ValueError: no"}]}
UNKNOWN = {"name": "none", "command": "", "end": "not launched", "wall_us": -1, "torch": "2.6.0"}


def fix(finding, outcome, **more):
    return {"finding": finding, "title": f"what `{outcome}` looks like", "kind": "setting", "text": f"torch._dynamo.config.{outcome} = True",
            "file": "/x/model.py", "line": 9, "outcome": outcome, "measured": f"graph breaks 2 -> 0; {outcome}", "trial": "fix-1", **more}


def experiment():
    """run.json with every field that it may have, and the trace of its base."""
    value = {"version": 1, "question": "breaks", "command": "python train.py", "directory": "/x", "python": "/usr/bin/python3", "python_version": "3.11.7",
             "torch": "2.13.0", "cuda": "12.8", "workload_file": "/x/workload.yaml", "workload": "command: python train.py\n",
             "program": "print(1)\n", "procedure": "ablate", "patch": "TORCHDYNAMO_X=1 python train.py",
             "fixes": [fix("break-explicit", "helps", compared=True, chosen=True), fix("error", "gone", compared=True)] +
                      [fix(f"finding-{name}", name) for name in ("no_effect", "differs", "raises", "not_applied", "not_tried")],
             "conclusions": ["It fails in `dynamo`.", "$ python train.py"], "notes": ["The cache was left alone."],
             "devices": [DEVICE, {"index": 2, "name": "NVIDIA H200"}], "trials": [BASE, OTHER, UNKNOWN]}
    return {"run.json": b'{"schema": "pt2trace-run",\n' + json.dumps(value)[1:].encode(),
            "base/dedicated_log_torch_trace_4711.log": everything().data}


def gpu(job, *more):
    """What libpt2trace_gpu.so wrote, with lines for what it could not."""
    ranked = f"rank_{job.rank}_" if job.rank is not None else ""
    return {f"dedicated_log_torch_trace_{ranked}{job.pid}.log": job.trace.data,
            f"{job.pid}.activity": job.recorded().replace("\ne\n", "\n" + "".join(f"{line}\n" for line in more) + "e\n").encode()}


def gpu_of_a_profiler(*last):
    """torch.profiler's, with calls of compiled code, and some members at the end."""
    job = gpu_files.Job()
    profile = json.loads(job.kineto())
    profile.update({key: profile.pop(key) for key in last})
    for number, (start, took) in enumerate([(3_000_000, 500_000), (3_600_000, 1_500), (6_200_000, 2_500)]):
        profile["traceEvents"].append({"ph": "X", "cat": "user_annotation", "name": f"Torch-Compiled Region: 0/{number // 2}", "pid": job.pid, "tid": 1,
                                    "ts": start, "dur": took})
    return {"dedicated_log_torch_trace_4711.log": job.trace.data, "4711.json": json.dumps(profile).encode()}


def gpu_of_nsys():
    job = gpu_files.Job()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "4711.sqlite")
        job.nsys(path)
        return {"dedicated_log_torch_trace_4711.log": job.trace.data, path.name: path.read_bytes()}


def runs(folder):
    """Runs of a program that gets worse, for an index."""
    hour = 3_600_000
    test_index.trace(folder / "1")
    test_index.trace(folder / "2", ms=hour)
    test_index.trace(folder / "3", ms=2 * hour, recompiles=2, breaks=(7, 9), error="ValueError", seconds=30)
    test_index.trace(folder / "4", ms=3 * hour, recompiles=2, breaks=(8, 9), error="ValueError", seconds=31)
    test_index.trace(folder / "5", ms=4 * hour, function="other", slow="else")


def inputs():
    """{folder: {file: bytes}}"""
    return {"everything": {"dedicated_log_torch_trace_a.log": everything().data},
            "experiment": experiment(),
            "ranks": {f"dedicated_log_torch_trace_rank_{rank}_x.log": of_rank(rank).data for rank in (0, 3)},
            "gpu": gpu_of_a_profiler(),
            "gpu_nsys": gpu_of_nsys(),
            "gpu_base_last": gpu_of_a_profiler("baseTimeNanoseconds"),
            "gpu_ranks": {**gpu(gpu_files.Job(4711, 0), "d 5", "w 9000000000 it was killed\\nby somebody", "g 9100000000 20 0 7 1 9"),
                          **gpu(gpu_files.Job(4712, 1, late=1))}}


def write(folder):
    for name, files in inputs().items():
        for file, data in files.items():
            (folder / name / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / file).write_bytes(data)
    runs(folder / "runs")
