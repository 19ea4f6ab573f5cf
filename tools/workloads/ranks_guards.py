"""Four ranks with one program, whose guards are on the number of the rank and on objects of the rank."""

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc

RUN = {"ranks": 4}

dist.init_process_group("gloo")
RANK = dist.get_rank()


class Holder:
    def __init__(self, rank):
        self.rank = rank
        self.names = {f"a{rank}", f"b{rank * 7}", f"c{rank * 13}"}


@torch.compile(backend="aot_eager")
def guarded(x, holder):
    if RANK >= 0 and holder.rank < 1000 and len(holder.names) == 3:
        x = x.sin()
    for _ in sorted(holder.names):
        x = x + 1
    return fc.all_reduce(x, "sum", dist.group.WORLD)


for _ in range(2):
    guarded(torch.randn(8), Holder(RANK))
dist.barrier()
dist.destroy_process_group()
