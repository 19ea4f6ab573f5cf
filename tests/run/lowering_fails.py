"""An operator whose lowering in Inductor raises.

Truth: an InductorError (LoweringException: NotImplementedError "no lowering today", target aten.sin.default), with Inductor only.
"""

import torch
import torch._inductor.lowering as lowering


def fails(*args, **kwargs):
    raise NotImplementedError("no lowering today")


lowering.lowerings[torch.ops.aten.sin.default] = fails


@torch.compile
def f(x):
    return torch.sin(x).sum()


print(f"sum {f(torch.arange(8.0)).item():.4f}")
