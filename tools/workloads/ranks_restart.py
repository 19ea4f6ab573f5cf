"""Two ranks; rank 1 fails after its first compile, torchrun starts both again, and then both succeed."""

import os
import pathlib
import time

import torch
import torch.distributed as dist
from torch.testing._internal.distributed.fake_pg import FakeStore

RUN = {"ranks": 2, "restarts": 1}

rank = int(os.environ["RANK"])
first_time = os.environ["TORCHELASTIC_RESTART_COUNT"] == "0"
compiled = pathlib.Path(os.environ["TMPDIR"]) / "compiled"


@torch.compile(backend="eager")
def first(x):
    return x + 1


@torch.compile(backend="eager")
def second(x):
    return x * 2


dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=2)
first(torch.ones(2))
if first_time and rank == 0:
    compiled.touch()
    time.sleep(60)  # until torchrun ends it
while first_time and not compiled.exists():
    time.sleep(0.05)
if first_time:
    raise SystemExit("planted")
second(torch.ones(2))
