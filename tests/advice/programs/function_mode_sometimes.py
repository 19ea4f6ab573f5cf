# Every other call counts the operators of the shop's till with a mode of torch functions, around a compiled function.
# finding: recompile-global-state
# says: the same ones around every call, or around none
# never-says: DisableTorchFunction
import contextlib

import torch
from result import result
from torch.overrides import TorchFunctionMode


class Count(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


@torch.compile(backend="eager")  # HERE (2.7+)
def total(prices):
    return (prices * 1.19).sum()


for day in range(4):
    with Count() if day % 2 else contextlib.nullcontext():
        result(total(torch.ones(3) * day))  # HERE (2.4-2.6)
