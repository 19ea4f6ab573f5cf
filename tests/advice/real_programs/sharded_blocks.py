# A model is compiled as a whole after its blocks were sharded with `fully_shard`.
# True cause: the hooks of `fully_shard` break the graph at each block.
# versions: 2.13+
# long
# finding: break-distributed
import os

import torch
import torch.distributed as dist
from result import result
from torch import nn
from torch.distributed.fsdp import fully_shard


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(16), nn.Linear(16, 32), nn.Linear(32, 16)

    def forward(self, x):
        return x + self.down(nn.functional.silu(self.up(self.norm(x))))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks, self.head = nn.ModuleList(Block() for _ in range(3)), nn.Linear(16, 1)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29711", RANK="0", WORLD_SIZE="1")
dist.init_process_group("gloo")
torch.manual_seed(0)
net = Net()
mesh = dist.device_mesh.init_device_mesh("cpu", (1,))
for block in net.blocks:
    fully_shard(block, mesh=mesh)
fully_shard(net, mesh=mesh)
net = torch.compile(net, backend="aot_eager")
for _ in range(2):
    loss = net(torch.randn(4, 16)).pow(2).mean()
    loss.backward()
    result(loss)
dist.destroy_process_group()
