# A class of tensors with `__torch_dispatch__`, which says which tensors are in it; the graph breaks at another line.
# versions: 2.6 2.13
# finding: break-print
# not: break-tensor-kind
import torch
from result import result
from torch.utils._pytree import tree_map_only


class Boxed(torch.Tensor):
    @staticmethod
    def __new__(cls, inside):
        return torch.Tensor._make_wrapper_subclass(cls, inside.shape, dtype=inside.dtype)

    def __init__(self, inside):
        self.inside = inside

    def __tensor_flatten__(self):
        return ["inside"], None

    @staticmethod
    def __tensor_unflatten__(inner, context, size, stride):
        return Boxed(inner["inside"])

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        args, kwargs = tree_map_only(Boxed, lambda t: t.inside, (args, kwargs or {}))
        return func(*args, **kwargs)


@torch.compile(backend="eager")
def total(box, price):
    y = torch.mul(box, price)
    print("weighed")  # HERE
    return y.sum()


for day in range(3):
    result(total(Boxed(torch.arange(4.0) + day), torch.ones(4)))
