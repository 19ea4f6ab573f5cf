# Activation checkpointing inside of the compiled model. Nothing is wrong.
# versions: 2.13+
# clean
import torch
from result import result
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(12), nn.Linear(12, 24), nn.Linear(24, 12)

    def forward(self, x):
        return x + self.down(self.up(self.norm(x)).relu())


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(3))

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return x


torch.manual_seed(0)
model = Model()
compiled = torch.compile(model, backend="aot_eager")
for _ in range(2):
    loss = compiled(torch.randn(4, 12)).pow(2).mean()
    loss.backward()
    result(loss)
