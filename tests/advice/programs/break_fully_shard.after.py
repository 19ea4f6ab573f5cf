import tempfile

import torch
import torch.distributed as dist
from result import result
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x).relu() + x


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block() for _ in range(2))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


torch.manual_seed(0)
model = Model()
for block in model.blocks:
    block.compile(backend="aot_eager")
    fully_shard(block)
fully_shard(model)
result(model(torch.ones(2, 4)))
dist.destroy_process_group()
