# One number of a list differs, and the line needs it as a constant: no list of numbers.
# finding: recompile-limit
# never-says: numbers of this list differ
# versions: 2.13+
import torch
from result import result


def weigh(prices, labels):
    for _ in range(labels[0]):  # HERE
        prices = prices + labels[1]
    return prices


weighed = torch.compile(weigh, backend="eager")
prices = torch.linspace(0, 1, 4)
for day in range(3, 15):
    result(weighed(prices, [day, 2]))
