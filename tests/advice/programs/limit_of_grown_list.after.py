import torch
from result import result


def attend(x, past, at):
    past.index_copy_(0, at, x.sin()[None])
    return past.sum(0)


@torch.compile(backend="eager")
def step(x, caches, at):
    for past in caches:
        x = attend(x, past, at)
    return x


caches = [torch.zeros(10, 3), torch.zeros(10, 3)]
for n in range(10):
    result(step(torch.ones(3) * n, caches, torch.tensor([n])))
