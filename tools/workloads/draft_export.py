"""Draft export of a model with an operator that has no fake kernel and a size that depends on data."""

import torch
from torch import nn
from torch.export import draft_export

RUN = {"env": {"TORCH_TRACE": None, "TORCH_DTRACE": "{trace}"}}

library = torch.library.Library("shop", "DEF")
library.define("mystery(Tensor x) -> Tensor")
library.impl("mystery", lambda x: x + 1, "CPU")


class Model(nn.Module):
    def forward(self, x, n):
        length = n.item()
        if length > 2:
            return torch.ops.shop.mystery(x) * length
        return x


draft_export(Model(), (torch.ones(3), torch.tensor(4)))
