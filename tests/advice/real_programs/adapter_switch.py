# LoRA adapters are chosen by a name that is an attribute of each layer.
# True cause: the attribute `active` of the layers changes.
# versions: 2.13+
# long
# finding: recompile-module-attribute
import torch
from result import result
from torch import nn


class LoRA(nn.Module):
    def __init__(self, base, names, rank=2):
        super().__init__()
        self.base = base
        self.down = nn.ModuleDict({n: nn.Linear(base.in_features, rank, bias=False) for n in names})
        self.up = nn.ModuleDict({n: nn.Linear(rank, base.out_features, bias=False) for n in names})
        self.active = names[0]

    def forward(self, x):
        return self.base(x) + self.up[self.active](self.down[self.active](x))  # HERE


torch.manual_seed(0)
names = ["math", "code", "chat"]
model = nn.Sequential(LoRA(nn.Linear(8, 8), names), nn.GELU(), LoRA(nn.Linear(8, 4), names))
compiled = torch.compile(model, backend="eager")
for name in names * 2:
    for layer in model:
        if isinstance(layer, LoRA):
            layer.active = name
    result(compiled(torch.ones(2, 8)).detach())
