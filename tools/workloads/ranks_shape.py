"""Four ranks; the last batch of rank 2 is larger than that of the others, so that it compiles once more."""

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc

RUN = {"ranks": 4}


@torch.compile(backend="aot_eager")
def step(x):
    total = fc.all_reduce(x.sum(), "sum", dist.group.WORLD)
    return x / total


@torch.compile(backend="aot_eager")
def finish(x):
    return x * 2 - 1


dist.init_process_group("gloo")
rank = dist.get_rank()
for batch in (4, 4, 6 if rank == 2 else 4):
    step(torch.ones(batch, 3))
finish(torch.ones(3))
dist.barrier()
dist.destroy_process_group()
