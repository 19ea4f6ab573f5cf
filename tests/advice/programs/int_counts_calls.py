# A module counts its calls, and the count is no bound of a slice.
# finding: recompile-module-attribute
# never-says: rises from call to call
# versions: 2.7+
import torch
from result import result


class Counts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # HERE
        return x * self.calls


model = torch.compile(Counts(), backend="eager")
for _ in range(5):
    result(model(torch.ones(3)))
