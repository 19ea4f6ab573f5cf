"""Compiled autograd: captures !0, !1, and inside them compiles !0/1/0; the second capture is forced by a new graph."""

import torch
from torch._dynamo import compiled_autograd

RUN = {}


def compile_backward(graph):
    return torch.compile(graph, backend="eager", fullgraph=True)


@torch.compile(backend="aot_eager")
def loss_of(x, w):
    return torch.tanh(x @ w).sum()


torch.manual_seed(3)
w = torch.randn(4, 4, requires_grad=True)
with compiled_autograd._enable(compile_backward):
    for rows in (2, 2, 3):
        loss_of(torch.randn(rows, 4), w).backward()
    (w.exp().sum() * 2).backward()
