# Receipts of several customers lie one behind the other in a tensor, whose size is the sum of their lengths.
# finding: recompile-size
# says: computed from Python integers
# never-says: mark_dynamic`? where
# versions: 2.13+
import torch
from result import result


@torch.compile(backend="eager")
def totals(prices, lengths):
    return torch.stack([part.sum() for part in prices.split(lengths)])


torch.manual_seed(0)
for lengths in ([5, 3, 7], [4, 6, 2], [8, 9, 3], [6, 2, 5]):
    result(totals(torch.randn(sum(lengths)), lengths))  # HERE
