"""torch._dynamo.reset() between functions: the compile ids begin again at 0/0 each time."""

import torch

import truth

RUN = {}

backend = truth.counted("eager")


def first(x):
    return x + 1


def second(x):
    y = x * 2
    torch._dynamo.graph_break()
    return y.sin()


def third(x):
    return x - 1


torch.compile(first, backend=backend)(torch.ones(2))
torch._dynamo.reset()
torch.compile(second, backend=backend)(torch.ones(2))
torch._dynamo.reset()
torch._dynamo.reset()
for rows in (2, 3):
    torch.compile(third, backend=backend)(torch.ones(rows))
torch._dynamo.reset()
torch.compile(first, backend=backend)(torch.ones(2))
