"""torch.export without a compiler behind it, strict and not."""

import torch

RUN = {}


class Wave(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x) * x.shape[0]


for strict in (True, False):
    torch.export.export(Wave(), (torch.ones(4, 4),), strict=strict)
