# A line compares a size, which was to be dynamic, with a constant.
# finding: specialization
# severity: low
import torch
from result import result


@torch.compile(backend="eager", dynamic=True)
def f(x):
    if x.shape[0] == 8:  # HERE
        return x.sum()
    return x.mean()


result(f(torch.ones(8, 3)))
