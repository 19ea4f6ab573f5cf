# Every size is a compile of its own, as dynamic=False keeps sizes static: the limit is what follows.
# finding: recompile-limit
# says: Dynamic shapes are off here: `dynamic=False`
# versions: 2.9+
import torch
from result import result


@torch.compile(dynamic=False, backend="eager")  # HERE
def scale(x):
    return x * 2 + x.sum()


for n in range(4, 16):
    result(scale(torch.arange(n) / 7))
