"""Four ranks; rank 1 takes another branch in a compiled function, and has another graph."""

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc

RUN = {"ranks": 4}


@torch.compile(backend="aot_eager")
def first(x):
    return fc.all_reduce(x, "sum", dist.group.WORLD) + 1


@torch.compile(backend="aot_eager")
def warm_up(x, special):
    if special:
        x = x.sin()
    else:
        x = x.cos()
    return x + 1


dist.init_process_group("gloo")
first(torch.ones(3))
warm_up(torch.ones(3), dist.get_rank() == 1)
dist.barrier()
dist.destroy_process_group()
