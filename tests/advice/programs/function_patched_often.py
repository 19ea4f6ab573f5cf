# A function of torch.nn.functional is replaced by a new one again and again.
# finding: recompile-function
# never-says: replaced \(patched\)
# versions: 2.13+
import torch
from torch.nn import functional
from result import result

plain = functional.softplus


def total_of(prices):
    return functional.softplus(prices).sum()


total = torch.compile(total_of, backend="eager")
prices = torch.linspace(0, 3, 4)
for digits in range(4):
    functional.softplus = lambda x, digits=digits: plain(x).round(decimals=digits)  # HERE
    result(total(prices))
functional.softplus = plain
