"""DistributedDataParallel in one process: DDPOptimizer splits the graph of one compile into buckets."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

RUN = {}


class Layers(nn.Module):
    """Not nn.Sequential: Dynamo does not compile the forward of PyTorch's own modules when an eager frame calls it."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(600, 600) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


meeting_point = os.path.join(os.environ.get("TMPDIR", "/tmp"), "meeting-point")
dist.init_process_group("gloo", init_method=f"file://{meeting_point}", rank=0, world_size=1)
torch.manual_seed(5)
model = DistributedDataParallel(Layers(), bucket_cap_mb=1)
compiled = torch.compile(model, backend="aot_eager")
for _ in range(2):
    compiled(torch.randn(2, 600)).sum().backward()
dist.destroy_process_group()
