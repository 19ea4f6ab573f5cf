# A word chooses what is computed: more words than the limit of recompiles.
# finding: recompile-limit
import torch
from result import result


def reduced(x, how):
    return getattr(x, how)()


fast = torch.compile(reduced, backend="eager")
for how in ("sum", "mean", "max", "min", "prod", "std", "var", "median", "norm", "numel", "argmax", "argmin"):
    result(fast(torch.arange(6.0), how))
