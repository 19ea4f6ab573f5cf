import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    y = torch.where(y.sum() > 0, y + 1, y)
    return y.cos()


result(f(torch.ones(4)))
