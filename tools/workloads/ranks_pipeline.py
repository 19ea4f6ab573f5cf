"""Four ranks that are stages of a pipeline: equal stages, which send and receive outside of compiled code."""

import torch
import torch.distributed as dist
from torch import nn

RUN = {"ranks": 4}

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
torch.manual_seed(rank)
stage = torch.compile(nn.Sequential(nn.Linear(16, 16), nn.ReLU()), backend="aot_eager")
for _ in range(3):
    x = torch.randn(4, 16)
    if rank > 0:
        dist.recv(x, rank - 1)
    y = stage(x)
    if rank < size - 1:
        dist.send(y.detach(), rank + 1)
dist.barrier()
dist.destroy_process_group()
