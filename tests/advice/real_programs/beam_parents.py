# Beam search reorders its key-value cache by the parents of the beams, a Python list of indices that differs in each step.
# True cause: `parents`, a list of ints: each is compiled in as a constant until it has changed.
# finding: recompile-int
# also: recompile-int
import torch
from result import result


@torch.compile(backend="eager")
def reorder(keys, parents):
    return torch.stack([keys[p] for p in parents]) * 1.0


torch.manual_seed(0)
keys = torch.randn(4, 3, 8)
for parents in ([0, 1, 2, 3], [0, 0, 1, 2], [3, 1, 1, 0], [2, 2, 2, 1]):
    keys = reorder(keys, parents)
    result(keys)
