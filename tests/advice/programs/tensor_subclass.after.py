import torch
from result import result


class Photo(torch.Tensor):
    pass


@torch.compile(backend="eager")
def bright(x):
    return (x * 2).sum()


for day in range(4):
    x = torch.ones(3) * day
    x = x.as_subclass(Photo) if day % 2 else x
    x = x.as_subclass(torch.Tensor)
    result(bright(x).as_subclass(torch.Tensor))
