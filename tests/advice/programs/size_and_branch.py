# Sizes vary, and a line takes another way for large ones: marking leaves one compile for each side, and says so.
# versions: 2.13+
# finding: recompile-size
# also: recompile-shape-relation
# says: `if x\.shape\[0\] > 8:`: one graph for each of its sides remains
import torch
from result import result


@torch.compile(backend="eager")
def pool(x):
    if x.shape[0] > 8:
        return x.reshape(-1, 2, 3).sum(1)
    return x * 2


for n in (4, 6, 12, 10, 5):
    result(pool(torch.ones(n, 3)))  # HERE
