"""Four ranks, of which rank 3 is killed in its second compile, after the others have ended."""

import os
import pathlib
import signal
import time

import torch
import torch.distributed as dist
from torch.testing._internal.distributed.fake_pg import FakeStore

RUN = {"ranks": 4, "exit": 1}

rank = int(os.environ["RANK"])
ended = pathlib.Path(os.environ["TMPDIR"]) / "ended"
ended.mkdir(exist_ok=True)


def deadly_backend(graph, inputs):
    while rank == 3 and len(list(ended.iterdir())) < 3:
        time.sleep(0.05)
    if rank == 3:
        time.sleep(2)  # the others leave
        os.kill(os.getpid(), signal.SIGKILL)
    return graph


@torch.compile(backend="eager")
def survives(x):
    return x + 1


@torch.compile(backend=deadly_backend)
def does_not(x):
    return x - 1


@torch.compile(backend="eager")
def goes_on(x):
    return x * 2


dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=4)
survives(torch.ones(2))
does_not(torch.ones(2))
goes_on(torch.ones(2))
(ended / str(rank)).touch()
