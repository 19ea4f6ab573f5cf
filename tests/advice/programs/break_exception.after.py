import torch
from result import result


def f(x):
    return x.sin()


x = torch.ones(3)
if x.dim() != 2:
    result("one dimension")
result(torch.compile(f, backend="eager")(torch.ones(2, 2)))
