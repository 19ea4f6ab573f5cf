import torch
from result import result


@torch.compile
def f(x):
    return (x * 3) * 2 + 1


result(f(torch.ones(64)))
