# A value is read to branch on it: capturing it would only move the break.
# finding: break-branch
# versions: 2.6+
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    if y.sum().item() > 0:  # HERE
        y = y + 1
    return y.cos()


result(f(torch.ones(4)))
