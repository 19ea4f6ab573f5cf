#!/usr/bin/env python3
"""A Python with a PyTorch and a GPU, as far as tools/gpu-check can see: the files of a made-up process (e2e/gpu_files.py), and
its kernels on the libcupti of tests/gpu. Whatever else it is asked to run, python3 runs. FAKE_LIBRARIES leads to the libraries.
FAKE_SLOW makes kernels under the library take so many times as long."""
import argparse
import ctypes
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from gpu_files import Job  # noqa: E402

LIBRARIES = pathlib.Path(os.environ.get("FAKE_LIBRARIES", ""))


def launch(cupti, activity):
    _, name, _, ns, _, graph = activity
    cupti.fake_kernel(NAMES.setdefault(name, name.encode()), int(ns * float(os.environ.get("FAKE_SLOW", "1"))), graph)


NAMES = {}


def inject(job, args):
    ctypes.CDLL(str(LIBRARIES / "libcuda.so.1"))
    cupti = ctypes.CDLL(str(LIBRARIES / "libfake_cupti.so"))
    cupti.fake_kernel.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint32]
    os.environ["PT2TRACE_CUPTI"] = str(LIBRARIES / "libfake_cupti.so")
    ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection()
    kernels = [activity for activity in job.activities if activity[0] == "kernel"]
    for activity in kernels:
        launch(cupti, activity)
    if args.profile_later:
        cupti.cuptiActivityFlushAll(0)
        cupti.fake_profiler_begins()
    while args.forever:
        launch(cupti, kernels[0])
        time.sleep(0.1)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--mode", "--steps", "--profile", "--profile-later"):
        parser.add_argument(name)
    for name in ("--recompile", "--forever"):
        parser.add_argument(name, action="store_true")
    args, job = parser.parse_args(sys.argv[2:]), Job(pid=os.getpid())
    for path in filter(None, (args.profile, args.profile_later)):
        pathlib.Path(path).write_text(job.kineto())
    if os.environ.get("TORCH_TRACE"):
        pathlib.Path(os.environ["TORCH_TRACE"]).mkdir(parents=True, exist_ok=True)
        pathlib.Path(os.environ["TORCH_TRACE"], f"dedicated_log_torch_trace_{os.getpid()}.log").write_bytes(job.trace.data)
    if os.environ.get("CUDA_INJECTION64_PATH"):
        inject(job, args)
    print("1.5")


if __name__ == "__main__":
    if "torch.cuda.get_device_name" in "".join(sys.argv[1:3]):
        print("True 2.13.0 Fake GPU")
    elif len(sys.argv) > 1 and sys.argv[1].endswith("train_step.py"):
        main()
    else:
        os.execvp("python3", ["python3", *sys.argv[1:]])
