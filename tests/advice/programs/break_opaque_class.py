# A kiosk keeps its weights in eight bits, in a class of tensors that turns them back before each operator.
# True cause: the class does not say which tensors are in it, so Dynamo cannot trace what it is given to.
# versions: 2.6 2.13
# finding: break-tensor-kind
import torch
from result import result
from torch.utils._pytree import tree_map_only


class Packed(torch.Tensor):
    @staticmethod
    def __new__(cls, data, scale):
        return torch.Tensor._make_wrapper_subclass(cls, data.shape, dtype=scale.dtype)

    def __init__(self, data, scale):
        self.data8 = data
        self.scale = scale

    def unpacked(self):
        return self.data8.to(self.scale.dtype) * self.scale

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        if func is torch.ops.aten.detach.default:
            return cls(args[0].data8, args[0].scale)
        args, kwargs = tree_map_only(Packed, lambda t: t.unpacked(), (args, kwargs or {}))
        return func(*args, **kwargs)


def packed(layer):
    scale = layer.weight.detach().abs().amax() / 100
    data = (layer.weight.detach() / scale).round().to(torch.int8)
    layer.weight = torch.nn.Parameter(Packed(data, scale), requires_grad=False)
    return layer


torch.manual_seed(1)
shelf = torch.nn.Sequential(packed(torch.nn.Linear(4, 6)), torch.nn.Tanh(), packed(torch.nn.Linear(6, 2)))
compiled = torch.compile(shelf, backend="eager")
x = torch.randn(3, 4)
with torch.no_grad():
    for visit in range(3):
        result(compiled(x + visit))  # HERE
