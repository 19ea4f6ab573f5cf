# One function serves layers whose weights have different sizes.
# finding: recompiles
import torch
from result import result


def projected(x, weight):
    return torch.tanh(x @ weight)


torch.manual_seed(6)
fast = torch.compile(projected, backend="eager")
x = torch.randn(3, 4)
for width in (2, 5, 6, 8):
    result(fast(x, torch.randn(4, width)))
