# Lengths are a subclass of Tensor that checks units.
# True cause: `**` on a tensor of this class, which Dynamo cannot trace.
# versions: 2.13+
# finding: break-tensor-kind
import torch
from result import result


class Length(torch.Tensor):
    unit = "m"

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return super().__torch_function__(function, types, args, kwargs or {})


def length(values, unit):
    made = torch.as_tensor(values).as_subclass(Length)
    made.unit = unit
    return made


@torch.compile(backend="eager")
def energy(x):
    factor = 0.001 if x.unit == "mm" else 1.0
    return ((x * factor) ** 2).sum() * 0.5  # HERE


for unit in ("m", "mm", "m", "mm"):
    result(energy(length([1.0, 2.0, 3.0], unit)).as_subclass(torch.Tensor))
