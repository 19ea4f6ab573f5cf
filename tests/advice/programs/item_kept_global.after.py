import torch
from result import result

TAKEN = torch.zeros(())


@torch.compile(backend="eager")
def book(x):
    TAKEN.add_(x.detach().sum())
    return x / TAKEN


for n in (1.0, 3.0, 2.0, 5.0, 4.0):
    result(book(torch.tensor([n, 1.0])))
