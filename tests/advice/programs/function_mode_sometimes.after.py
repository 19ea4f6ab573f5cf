import torch
from result import result
from torch.overrides import TorchFunctionMode


class Count(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


@torch.compile(backend="eager")
def total(prices):
    return (prices * 1.19).sum()


for day in range(4):
    with Count():
        result(total(torch.ones(3) * day))
