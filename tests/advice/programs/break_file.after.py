import torch
from result import result


def f(x, n):
    y = x.sin()
    return y * n


with open(__file__, encoding="utf-8") as file:
    n = len(file.read()) > 0
result(torch.compile(f, backend="eager")(torch.ones(3), n))
