# A helper looks up who calls it.
# finding: break-c-function
# says: as an argument
# never-says: Call it before
# versions: 2.13+
import sys

import torch
from result import result


def scaled(prices):
    name = sys._getframe(1).f_code.co_name  # HERE
    return prices * len(name)


def total_of(prices):
    return scaled(prices + 1).sum()


total = torch.compile(total_of, backend="eager")
result(total(torch.ones(3)))
