"""Two ranks under torchrun with a collective; rank 1 sees another batch size and compiles once more than rank 0."""

import torch
import torch.distributed as dist

RUN = {"ranks": 2}


@torch.compile(backend="aot_eager")
def step(x, w):
    y = torch.relu(x @ w)
    total = y.sum()
    dist.all_reduce(total)
    return y / total


@torch.compile(backend="aot_eager")
def same_everywhere(x):
    return x * 2 - 1


dist.init_process_group("gloo")
rank = dist.get_rank()
w = torch.ones(4, 4)
for batch in (3, 3, 3 + rank):
    step(torch.ones(batch, 4), w)
same_everywhere(torch.ones(3))
dist.destroy_process_group()
