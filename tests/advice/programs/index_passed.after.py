import torch
from result import result


@torch.compile(backend="eager")
def f(x, i):
    y = x.sin() * 2
    return y.index_select(0, i.reshape(1)).squeeze(0) + y.cos()


for i in range(3):
    result(f(torch.ones(4, 3), torch.tensor(i)))
