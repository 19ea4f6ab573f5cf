# The data of a tensor that is made in the graph is replaced.
# finding: break-inplace
# versions: 2.6+
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    y.data = x  # HERE
    return y.cos() + 1


result(f(torch.ones(4)))
