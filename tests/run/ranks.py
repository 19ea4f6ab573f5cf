"""For torchrun --nproc-per-node 4: the ranks compile different graphs, and meet in a collective all the same.

Truth: rank 3 has cos where the others have sin, from the first graph on, because its own number decides. Every rank prints the same sum.
"""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()


@torch.compile(backend="eager")
def f(x):
    if rank == 3:
        return torch.cos(x) + 1
    return torch.sin(x) + 1


y = f(torch.arange(8.0))
dist.all_reduce(y)
print(f"rank {rank} sum {y.sum().item():.4f}", flush=True)
dist.destroy_process_group()
