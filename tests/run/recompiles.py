"""A function that is compiled again for every number it is given, until Dynamo gives up.

Truth: the value of `scale` is a float, guarded by its value under specialize_float; f is compiled for 8 of them, the ninth compile
hits the recompile limit of 8, and f runs in eager from there on. With --recompile-limit 20: 12 compiles, and no limit is hit.
"""

import torch

torch._dynamo.config.specialize_float = True


@torch.compile(backend="eager")
def f(x, scale):
    return x * scale


total = sum(f(torch.ones(4), i + 0.5).sum().item() for i in range(12))
print(f"sum {total:.4f}")
