"""Draft export of a model with operators that have no fake kernel, or a wrong one, and sizes that depend on data."""

import torch
from torch import nn
from torch.export import draft_export

RUN = {"env": {"TORCH_TRACE": None, "TORCH_DTRACE": "{trace}"}}

library = torch.library.Library("shop", "DEF")
library.define("mystery(Tensor x) -> Tensor")
library.impl("mystery", lambda x: x + 1, "CPU")


library.define("transposed(Tensor x) -> Tensor")
library.impl("transposed", lambda x: x.t().contiguous(), "CPU")
library.impl("transposed", lambda x: torch.empty_like(x), "Meta")


class Model(nn.Module):
    def forward(self, x, n, square, y):
        if y.shape[0] == 3:
            square = torch.ops.shop.transposed(square)
        length = n.item()
        if length > 2:
            return torch.ops.shop.mystery(x) * length, square
        return x, square


inputs = torch.ones(3), torch.tensor(4), torch.ones(2, 3), torch.ones(3)
draft_export(Model(), inputs, dynamic_shapes=(None, None, None, {0: torch.export.Dim("n")}))
