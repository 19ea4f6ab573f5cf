# Layers are added to a model while it is trained.
# True cause: the number of layers that are used, an int attribute of the module, changes.
# versions: 2.13+
# long
# finding: recompile-module-attribute|recompile-specialized|recompile-length
import torch
from result import result
from torch import nn


class Grows(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(5))
        self.depth = 1

    def forward(self, x):
        for layer in self.layers[: self.depth]:
            x = x + torch.relu(layer(x))
        return x.mean()


torch.manual_seed(0)
model = Grows()
fast = torch.compile(model, backend="eager")
for depth in (1, 2, 3, 4, 5):
    model.depth = depth
    result(fast(torch.ones(2, 8)).detach())
