import torch
from result import result


def sizes(n):
    return [i * 2 for i in range(n)]


def f(x):
    return x * 2


result(sizes(3), torch.compile(f, backend="eager")(torch.ones(3)))
