"""CUDA graphs that are skipped: the backend "cudagraphs" on the CPU says why, for inference and for training."""

import torch

RUN = {}


@torch.compile(backend="cudagraphs")
def blend(x):
    y = x.sin()
    torch._dynamo.graph_break()
    return y + 1


with torch.no_grad():
    blend(torch.ones(3))
blend(torch.ones(4, requires_grad=True)).sum().backward()
