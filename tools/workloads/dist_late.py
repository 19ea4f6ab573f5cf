"""One rank that compiles before and after init_process_group: no rank in the file name, a rank in the later records."""

import os

import torch
import torch.distributed as dist

RUN = {}


@torch.compile(backend="eager")
def before(x):
    return x + 1


@torch.compile(backend="eager")
def afterwards(x):
    return x * 2


before(torch.ones(2))
meeting_point = os.path.join(os.environ.get("TMPDIR", "/tmp"), "meeting-point")
dist.init_process_group("gloo", init_method=f"file://{meeting_point}", rank=0, world_size=1)
afterwards(torch.ones(2))
dist.destroy_process_group()
