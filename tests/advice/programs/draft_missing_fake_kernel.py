# Draft export meets an operator without a fake kernel.
# dtrace
# versions: 2.7+
# finding: missing-fake-kernel
import torch
from result import result
from torch import nn
from torch.export import draft_export

library = torch.library.Library("shop", "DEF")
library.define("price(Tensor x, int n) -> Tensor")
library.impl("price", lambda x, n: x * n, "CPU")


class Model(nn.Module):
    def forward(self, x):
        return torch.ops.shop.price(x, 3)  # HERE


inputs = (torch.ones(3),)
result(draft_export(Model(), inputs).module()(*inputs))
