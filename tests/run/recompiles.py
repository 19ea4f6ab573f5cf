"""A function that is compiled again for every number it is given, until Dynamo gives up.

Truth: the value of `scale` is a float, guarded by its value under specialize_float; 8 compiles of f (7 recompiles), then the recompile
limit of 8 is hit and f runs in eager. With --recompile-limit 20: 12 compiles, and no limit is hit.
"""

import torch

torch._dynamo.config.specialize_float = True


@torch.compile(backend="eager")
def f(x, scale):
    return x * scale


total = sum(f(torch.ones(4), i + 0.5).sum().item() for i in range(12))
print(f"sum {total:.4f}")
