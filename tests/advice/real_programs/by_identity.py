# Masks are looked up by the identity of the tensor that they were made for.
# True cause: id() of a tensor as the key of a dict in the compiled function.
# versions: 2.13+
# long
# finding: recompile-identity
import torch
from result import result

MASKS = {}


@torch.compile(backend="eager")
def masked(x):
    key = id(x)  # HERE
    if key not in MASKS:
        MASKS[key] = x > 0
    return torch.where(MASKS[key], x, 0.1 * x)


inputs = [torch.tensor([1.0, -1.0]), torch.tensor([-3.0, 3.0])]
for x in inputs + inputs:
    result(masked(x))
