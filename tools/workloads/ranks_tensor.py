"""Two ranks with a tensor-parallel model: one layer cut by columns, one by rows."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

RUN = {"ranks": 2}

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 16))
parallelize_module(model, init_device_mesh("cpu", (2,)), {"0": ColwiseParallel(), "2": RowwiseParallel()})
compiled = torch.compile(model, backend="aot_eager")
for _ in range(2):
    compiled(torch.ones(4, 16)).sum().backward()
dist.barrier()
dist.destroy_process_group()
