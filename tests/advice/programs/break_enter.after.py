import torch
from result import result


def f(x):
    y = x.sin()
    with torch.no_grad():
        z = y.cos()
    return z * 2


result(torch.compile(f, backend="eager")(torch.ones(3)))
