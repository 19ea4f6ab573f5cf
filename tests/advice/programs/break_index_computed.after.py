import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    best = x.sum(1).argmax()
    return x.index_select(0, best.reshape(1)).squeeze(0) + x.cos()


torch.manual_seed(0)
for _ in range(3):
    result(f(torch.randn(4, 3)))
