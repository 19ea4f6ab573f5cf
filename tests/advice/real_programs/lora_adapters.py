# LoRA: one model, several adapters, and a string in the module says which is active.
# True cause: the attribute `active` of each layer changes; each adapter is compiled once.
# versions: 2.13+
# finding: recompile-module-attribute|recompile-constant
# says: active
import torch
from result import result
from torch import nn


class LoraLinear(nn.Module):
    def __init__(self, size, rank, names):
        super().__init__()
        self.base = nn.Linear(size, size)
        self.down = nn.ModuleDict({name: nn.Linear(size, rank, bias=False) for name in names})
        self.up = nn.ModuleDict({name: nn.Linear(rank, size, bias=False) for name in names})
        self.active = names[0]

    def forward(self, x):
        return self.base(x) + self.up[self.active](self.down[self.active](x))


torch.manual_seed(0)
names = ["french", "german", "polish"]
model = nn.ModuleList(LoraLinear(8, 2, names) for _ in range(3)).eval()


@torch.compile(backend="eager")
def run(x):
    for layer in model:
        x = layer(x).tanh()
    return x


with torch.no_grad():
    for name in names:
        for layer in model:
            layer.active = name
        result(run(torch.ones(2, 8)))
