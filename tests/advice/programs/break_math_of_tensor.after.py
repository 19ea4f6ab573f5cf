# The function of torch takes the tensor.
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    return x * torch.sqrt(x.sum())


for n in range(3):
    result(f(torch.ones(3) * n).round(decimals=4))
