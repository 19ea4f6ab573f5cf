"""Higher-order operators: a region compiled once and called twice, torch.cond, activation checkpointing."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

RUN = {}


@torch.compiler.nested_compile_region
def block(x):
    return torch.sin(x) * 2


@torch.compile(backend="aot_eager", fullgraph=True)
def two_blocks(x):
    return block(block(x) + 1)


@torch.compile(backend="aot_eager", fullgraph=True)
def either(x):
    return torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (x,))


layer = nn.Linear(4, 4)


@torch.compile(backend="aot_eager", fullgraph=True)
def checkpointed(x):
    return checkpoint(lambda y: torch.relu(layer(y)), x, use_reentrant=False)


two_blocks(torch.ones(3))
two_blocks(torch.ones(3, requires_grad=True)).sum().backward()
either(torch.ones(3))
checkpointed(torch.ones(2, 4, requires_grad=True)).sum().backward()
