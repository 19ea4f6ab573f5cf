# A tensor is made by a constructor of old code, which no cache takes.
# finding: cache-bypass
# says: constructor of old code
# never-says: the cause that the reason names
# also: cache-cold
# versions: 2.13+
# inductor
import torch
from result import result


def total_of(prices):  # HERE
    rates = torch.FloatTensor(3, 2).fill_(0.5)
    return (prices @ rates).sum()


total = torch.compile(total_of)
result(total(torch.ones(2, 3)))
