"""Reads where there is no memory, in an operator that a compiled graph calls. No kernel is built.

Truth: signal 11, after 1 compile; the same without torch.compile, so the compiler is not at fault. faulthandler shows `reads`.
"""

import ctypes

import torch


@torch.library.custom_op("mine::reads", mutates_args=())
def reads(x: torch.Tensor) -> torch.Tensor:
    ctypes.string_at(8)
    return x.clone()


@reads.register_fake
def _(x):
    return torch.empty_like(x)


@torch.compile(backend="aot_eager")
def f(x):
    return reads(torch.sin(x)) + 1


print(f"sum {f(torch.arange(8.0)).sum().item():.4f}")
