"""Another result as soon as Dynamo traces the function. No kernel is built.

Truth: 28.0000 without torch.compile, 36.0000 with every backend.
"""

import torch


@torch.compile(backend="eager")
def f(x):
    if torch.compiler.is_compiling():
        x = x + 1
    return x.sum()


print(f"sum {f(torch.arange(8.0)).item():.4f}")
