import copy

import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    z = y.clone()
    return z.cos() + y


result(f(torch.ones(4)))
