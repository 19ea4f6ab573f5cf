# A tensor is indexed with a tensor without dimensions that the code computes.
# finding: break-item
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    best = x.sum(1).argmax()
    return x[best] + x.cos()  # HERE


torch.manual_seed(0)
for _ in range(3):
    result(f(torch.randn(4, 3)))
