import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    torch._assert_async(y.sum() > 0, "sum")
    return y.cos()


result(f(torch.ones(4)))
