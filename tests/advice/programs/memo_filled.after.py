import torch
from result import result

packed = {}


def pack(name, weight):
    if name not in packed:
        packed[name] = weight.t().contiguous()
    return packed[name]


weight = torch.arange(6.0).reshape(2, 3)


@torch.compile(backend="eager")
def sell(x):
    return x @ pack("till", weight)


pack("till", weight)
for day in range(4):
    result(sell(torch.ones(2, 3) * day))
