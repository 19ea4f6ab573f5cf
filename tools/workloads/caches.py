"""The same program twice with one cache folder (caches_cold, then caches_warm): misses, hits, a bypass."""

import torch
from torch import nn

RUN = {"runs": ["caches_cold", "caches_warm"]}


@torch.compile
def inference(x):
    return (x * 2).relu().sum()


@torch.compile
def twin(x):
    return (x * 2).relu().sum()


@torch.compile
def uncacheable(x):
    return Scaled.apply(x) + 1


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x * 3

    @staticmethod
    def backward(context, gradient):
        return gradient * 3


inference(torch.ones(4))
twin(torch.ones(4))
uncacheable(torch.ones(4, requires_grad=True))

torch.manual_seed(1)
model = torch.compile(nn.Sequential(nn.Linear(4, 4), nn.GELU()))
model(torch.randn(2, 4)).sum().backward()
