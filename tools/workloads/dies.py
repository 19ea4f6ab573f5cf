"""Nobody catches the exception: the process ends in the middle of its second compile."""

import torch

RUN = {"exit": 1}


def broken_backend(graph, inputs):
    raise ValueError("this backend never works")


@torch.compile(backend="eager")
def works(x):
    return x + 1


@torch.compile(backend=broken_backend)
def does_not(x):
    return x - 1


works(torch.ones(2))
does_not(torch.ones(2))
