# One trunk for several tasks, the task comes as a string in the batch.
# True cause: the string changes; each task is a compile.
# versions: 2.13+
# long
# finding: recompile-constant
import torch
from dataclasses import dataclass
from result import result
from torch import nn


@dataclass
class Batch:
    x: torch.Tensor
    task: str


class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(8, 8)
        self.heads = nn.ModuleDict({t: nn.Linear(8, n) for t, n in (("depth", 1), ("classes", 4), ("pose", 3))})

    def forward(self, batch):
        return self.heads[batch.task](torch.relu(self.trunk(batch.x)))


torch.manual_seed(0)
model = torch.compile(Multi().eval(), backend="eager")
with torch.no_grad():
    for task in ("depth", "classes", "pose", "depth"):
        result(model(Batch(torch.ones(2, 8), task)))  # HERE
