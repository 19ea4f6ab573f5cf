# Each shelf of a fridge has a rate of its own, and the first has none: two compiles serve all shelves.
# True cause: the code decides by the rate, which is a number of the module.
# finding: recompile-module-attribute
# versions: 2.13+
# says: rate
# never-says: isolate_recompiles
import torch
from result import result


class Chill(torch.nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        if self.rate == 0.0:  # HERE
            return x + 1
        return x * (1 - self.rate)


class Shelf(torch.nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.chill = Chill(rate)

    def forward(self, x):
        return self.chill(x) + x


shelves = [Shelf(rate / 10) for rate in range(6)]
for shelf in shelves:
    shelf.compile(backend="eager")
for day in range(2):
    x = torch.arange(4.0) + day
    for shelf in shelves:
        x = shelf(x)
    result(x)
