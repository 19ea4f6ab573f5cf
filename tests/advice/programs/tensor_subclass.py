# Photos are tensors of a class of their own in training, and plain tensors when they come from a customer.
# finding: recompile-type
# says: subclass of torch.Tensor
# versions: 2.13+
import torch
from result import result


class Photo(torch.Tensor):
    pass


@torch.compile(backend="eager")  # HERE (2.7+)
def bright(x):
    return (x * 2).sum()


for day in range(4):
    x = torch.ones(3) * day
    x = x.as_subclass(Photo) if day % 2 else x
    result(bright(x).as_subclass(torch.Tensor))
