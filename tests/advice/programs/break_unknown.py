# PyTorch 2.5 and earlier do not say that a branch breaks the graph.
# finding: break-unknown
# says: branch on a tensor's value
# versions: 2.4-2.5
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    if y.sum() > 0:
        y = y + 1
    return y.cos()


result(f(torch.ones(4)))
