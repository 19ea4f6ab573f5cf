# Layers are left out by a set of their numbers, which a schedule changes.
# True cause: the set `skipped` of the module.
# versions: 2.13+
# long
# says: in this set
# finding: recompile-dict-keys
import torch
from result import result
from torch import nn


class Deep(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(depth))
        self.skipped = set()

    def forward(self, x):
        for number, layer in enumerate(self.layers):
            if number not in self.skipped:  # HERE
                x = x + layer(x).relu()
        return x.mean()


torch.manual_seed(0)
model = Deep()
compiled = torch.compile(model, backend="eager")
for skipped in ((), (1,), (2,), (1, 3), (0, 2)):
    model.skipped = set(skipped)
    result(compiled(torch.ones(2, 8)).detach())
