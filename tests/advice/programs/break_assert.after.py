import torch
from result import result


@torch.compile
def f(x):
    y = x.sin() * 2
    torch._assert_async(y.sum() > 0, "sum")
    return y.cos()


result(f(torch.ones(4)))
try:
    result(f(-torch.ones(4)))
except (AssertionError, RuntimeError):
    print("it raises")
