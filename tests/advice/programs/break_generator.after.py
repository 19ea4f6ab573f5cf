import torch
from result import result


def f(x):
    y = x.sin()
    return y.cos(), [i * 2 for i in [1, 2]]


y, numbers = torch.compile(f, backend="eager")(torch.ones(3))
result(y, sum(numbers))
