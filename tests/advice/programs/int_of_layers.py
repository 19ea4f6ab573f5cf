# Twelve layers share one compiled forward, and each has a number of its own.
# finding: recompile-limit
# versions: 2.7+
import torch
from result import result


class Block(torch.nn.Module):
    def __init__(self, index):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.index = index

    @torch.compile(backend="eager")
    def forward(self, x):
        return self.linear(x) * self.index  # HERE


torch.manual_seed(0)
with torch.no_grad():
    result(torch.nn.Sequential(*[Block(i + 1) for i in range(12)])(torch.ones(2, 4)))
