# What is kept is returned.
import torch
from result import result

seen = []


@torch.compile(backend="eager")
def f(x):
    y = x.sin()
    return y, y.sum()


for n in range(4):
    y, total = f(torch.ones(3) * n)
    seen.append(total)
    result(y)
result(seen)
