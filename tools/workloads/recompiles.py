"""Recompiles because a tensor changed: size, dtype, rank, stride, requires_grad; and because the grad mode did."""

import torch

import truth

RUN = {}

backend = truth.counted("eager")


@torch.compile(backend=backend)
def sizes(x):
    return x + 1


@torch.compile(backend=backend)
def dtypes(x):
    return x * 2


@torch.compile(backend=backend)
def ranks(x):
    return x - 1


@torch.compile(backend=backend)
def strides(x):
    return x.sum(0)


@torch.compile(backend=backend)
def requires_grad(x):
    return x.sin()


@torch.compile(backend=backend)
def grad_mode(x):
    return x.exp()


x = torch.ones(4, 3)
for rows, columns in ((4, 3), (5, 3), (6, 3), (6, 7)):
    sizes(torch.ones(rows, columns))
dtypes(x), dtypes(x.to(torch.int64))
ranks(x), ranks(torch.ones(4))
strides(x), strides(torch.ones(3, 4).t())
requires_grad(x), requires_grad(torch.ones(4, 3, requires_grad=True))
grad_mode(x)
with torch.no_grad():
    grad_mode(x)
