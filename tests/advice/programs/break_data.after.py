import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    with torch.no_grad():
        y.copy_(x)
    return y.cos() + 1


result(f(torch.ones(4)))
