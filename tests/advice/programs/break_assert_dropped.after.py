import torch
from result import result


@torch.compile
def f(x):
    y = x.sin() * 2
    return y.cos(), y.sum() > 0


y, fine = f(torch.ones(4))
assert fine, "sum"
result(y)
try:
    y, fine = f(-torch.ones(4))
    assert fine, "sum"
    result(y)
except (AssertionError, RuntimeError):
    print("it raises")
