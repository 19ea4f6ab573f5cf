# Sizes of results that depend on data: a mask, nonzero, unique.
# finding: break-data-shape
# severity: medium
# also (2.4-2.5): break-data-shape
import torch
from result import result


@torch.compile(backend="aot_eager")
def f(x):
    y = x.sin() * 2
    z = y[x > 0]  # HERE
    z = z.cos() + 1
    i = torch.nonzero(y)  # HERE
    return z.sum() + i.sum() + torch.unique(y).sum()  # HERE (2.6+)


result(f(torch.tensor([1.0, -2.0, 3.0, 0.0])), f(torch.tensor([1.0, -2.0, 3.0, 0.0])))
