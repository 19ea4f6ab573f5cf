import torch
from result import result


@torch.compile(backend="eager")
def f(x, lengths):
    total = torch.zeros_like(x[:, 0])
    for t in range(x.shape[1]):
        total = total + x[:, t].sin() * (lengths > t)
    return total


for n in (2, 4, 3):
    result(f(torch.arange(12.0).view(3, 4), torch.tensor([1, n, 2])))
