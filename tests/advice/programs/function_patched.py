# A function of torch.nn.functional is replaced for a while: two graphs, and the first is found again.
# finding: recompile-function
# says: replaced \(patched\)
# never-says: defined again and again
# versions: 2.13+
import torch
from torch.nn import functional
from result import result

plain = functional.softplus


def rounded(x):
    return plain(x).round()


def total_of(prices):
    return functional.softplus(prices).sum()  # HERE


total = torch.compile(total_of, backend="eager")
prices = torch.linspace(0, 3, 4)
result(total(prices))
functional.softplus = rounded
result(total(prices))
functional.softplus = plain
result(total(prices))
