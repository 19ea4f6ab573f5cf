# A module counts its calls in an integer, and is called less often than the limit.
# finding: recompile-module-attribute
# versions: 2.7+
import torch
from result import result


class Counts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)
        self.step = 0

    def forward(self, x):
        self.step += 1  # HERE
        return self.linear(x) * self.step


torch.manual_seed(0)
model = torch.compile(Counts(), backend="eager")
for _ in range(5):
    result(model(torch.ones(3)))
