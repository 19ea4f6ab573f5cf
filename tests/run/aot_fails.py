"""An operator whose derivative cannot be traced: AOTAutograd traces it although the program never asks for it.

Truth: BackendCompilerFailed, of RuntimeError "no derivative today", from backend aot_eager on. Dynamo alone works, and so does the
program without torch.compile.
"""

import torch


@torch.library.custom_op("mine::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


def backward(ctx, grad):
    raise RuntimeError("no derivative today")


twice.register_autograd(backward)


@torch.compile
def f(x):
    return twice(x).sum()


print(f"sum {f(torch.arange(8.0, requires_grad=True)).item():.4f}")
