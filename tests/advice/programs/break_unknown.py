# PyTorch 2.5 and earlier do not say that a branch breaks the graph, and no operator is on the line of this one.
# finding: break-unknown
# says: branch on a tensor's value
# versions: 2.4-2.5
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    positive = y.sum() > 0
    if positive:
        y = y + 1
    return y.cos()


result(f(torch.ones(4)))
