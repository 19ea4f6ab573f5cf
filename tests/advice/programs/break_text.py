# The text of a tensor.
# finding: break-item
# output: differs
import torch
from result import result


seen = []


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    seen.append(f"{y.sum().item():.3f}")  # HERE
    return y.cos() + 1


result(f(torch.ones(4)))
