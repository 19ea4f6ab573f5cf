"""As recompiles.py, but the program asks for an error at the recompile limit.

Truth: FailOnRecompileLimitHit at the third value of `scale`. With --recompile-limit 20 it works.
"""

import torch

torch._dynamo.config.specialize_float = True
torch._dynamo.config.recompile_limit = 2
torch._dynamo.config.fail_on_recompile_limit_hit = True


@torch.compile(backend="eager")
def f(x, scale):
    return x * scale


total = sum(f(torch.ones(4), i + 0.5).sum().item() for i in range(4))
print(f"sum {total:.4f}")
