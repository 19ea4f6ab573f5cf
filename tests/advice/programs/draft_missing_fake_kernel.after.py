import torch
from result import result
from torch import nn
from torch.export import draft_export

library = torch.library.Library("shop", "DEF")
library.define("price(Tensor x, int n) -> Tensor")
library.impl("price", lambda x, n: x * n, "CPU")


@torch.library.register_fake("shop::price")
def _(x, n):
    return torch.empty_like(x)


class Model(nn.Module):
    def forward(self, x):
        return torch.ops.shop.price(x, 3)


inputs = (torch.ones(3),)
result(draft_export(Model(), inputs).module()(*inputs))
