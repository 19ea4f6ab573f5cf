"""The process is killed in the middle of its second compile, and the copy of its trace was cut inside the last record."""

import glob
import os
import signal

import torch

RUN = {"exit": -9}


def deadly_backend(graph, inputs):
    [trace] = glob.glob(os.path.join(os.environ["TORCH_TRACE"], "*.log"))
    os.truncate(trace, os.path.getsize(trace) - 41)
    os.kill(os.getpid(), signal.SIGKILL)


@torch.compile(backend="eager")
def survives(x):
    return x + 1


@torch.compile(backend=deadly_backend)
def does_not(x):
    return x - 1


survives(torch.ones(2))
does_not(torch.ones(2))
