import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    smallest = torch.sort(torch.stack([y.sum(), y.mean()])).values[0]
    return y.cos() + smallest


result(f(torch.ones(4)))
