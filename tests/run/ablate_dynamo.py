"""The number is another as soon as Dynamo traces: the program asks whether it is compiled."""

import torch


@torch.compile
def f(x):
    y = x @ x
    return y + 1 if torch.compiler.is_compiling() else y


print(f"sum {f(torch.eye(4)).sum().item():.4f}")
