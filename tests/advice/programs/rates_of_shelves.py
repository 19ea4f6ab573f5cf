# Each shelf has a rate of its own, and the first has none; the compiled function reads it from itself.
# True cause: the code decides by the rate, which no tensor could do.
# finding: recompile-float
# versions: 2.13+
# says: rate
# never-says: torch.tensor
import torch
from result import result


class Shelf(torch.nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        if self.rate == 0.0:  # HERE
            return x + 1
        return x * (1 - self.rate)


shelves = [Shelf(rate / 10) for rate in range(6)]
for shelf in shelves:
    shelf.compile(backend="eager")
for day in range(2):
    x = torch.arange(4.0) + day
    for shelf in shelves:
        x = shelf(x)
    result(x)
