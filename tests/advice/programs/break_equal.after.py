import torch
from result import result


@torch.compile(backend="eager")
def f(x, y):
    z = x.sin() * 2
    same = (z == y).all()
    return z.cos() + same


result(f(torch.ones(4), torch.ones(4)))
