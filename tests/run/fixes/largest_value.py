# The largest value becomes a number of Python, and scales what follows.
# finding: break-item
import torch
from result import result


def normalized(x):
    top = x.abs().max().item()
    return x * 2 / (top + 1)


torch.manual_seed(5)
fast = torch.compile(normalized, backend="eager")
for _ in range(3):
    result(fast(torch.randn(7)))
