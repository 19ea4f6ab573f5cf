"""Fails without the compiler, too."""

import torch


@torch.compile
def f(x):
    return x @ torch.ones(3, 3)


f(torch.ones(4, 4))
