"""A model of many small modules: every call checks a thousand guards."""

import torch
from torch import nn

import truth

RUN = {}


class Chain(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.links = nn.ModuleList([nn.Linear(4, 4) for _ in range(length)])

    def forward(self, x):
        for link in self.links:
            x = link(x)
        return x


torch.compile(Chain(90), backend=truth.counted("eager"))(torch.ones(2, 4))
