"""With suppress_errors a failed compile falls back to eager and says no more than a warning."""

import torch

RUN = {}


def broken_backend(graph, inputs):
    raise ValueError("this backend never works")


@torch.compile(backend=broken_backend)
def given_to_a_broken_backend(x):
    return x.sin()


@torch.compile(backend="eager")
def fine(x):
    return x.cos()


torch._dynamo.config.suppress_errors = True
given_to_a_broken_backend(torch.ones(3))
fine(torch.ones(3))
