# What is positive is taken out of a batch, whatever number that is.
# finding: break-data-shape
import torch
from result import result


def positive_sum(x):
    kept = x[x > 0]
    return kept.sum() + kept.shape[0]


torch.manual_seed(4)
fast = torch.compile(positive_sum, backend="eager")
for _ in range(3):
    result(fast(torch.randn(10)))
