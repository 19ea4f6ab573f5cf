# A branch on the value of a tensor.
# finding: break-branch
# severity: medium
# versions: 2.5+
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    if y.sum() > 0:  # HERE
        y = y + 1
    else:
        y = y - 1
    return y.cos()


result(f(torch.ones(4)), f(-torch.ones(4)))
