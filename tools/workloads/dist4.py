"""Four ranks under torchrun that compile different sizes at the same time; one of them catches an error and prints it."""

import traceback

import torch
import torch.distributed as dist

RUN = {"ranks": 4}


@torch.compile(backend="eager")
def scale(x, by):
    y = x * by
    print("scaling")
    return y + 1


@torch.compile(backend="eager", dynamic=False)
def total(x):
    return x.sin().sum()


@torch.compile(backend="eager", fullgraph=True)
def strict(x):
    if x.sum() > 0:
        return x
    return -x


dist.init_process_group("gloo")
rank = dist.get_rank()
for step in range(2 + rank):
    scale(torch.ones(2 + step), 1.5)
    total(torch.ones(3, rank + step + 2))
dist.barrier()
if rank == 2:
    try:
        strict(torch.ones(3))
    except torch._dynamo.exc.Unsupported:
        traceback.print_exc()
dist.barrier()
dist.destroy_process_group()
