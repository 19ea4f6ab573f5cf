import torch
from result import result


items = torch.stack([torch.full((4,), float(i)) for i in range(3)])


@torch.compile(backend="eager")
def f(x, i):
    y = x.sin() * 2
    return y.cos() + items.index_select(0, i.reshape(1)).squeeze(0)


for i in range(3):
    result(f(torch.ones(4), torch.tensor(i)))
