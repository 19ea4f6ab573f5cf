# The fake kernel of an operator says another size than the operator returns.
# dtrace
# versions: 2.7+
# finding: wrong-fake-kernel
import torch
from result import result
from torch import nn
from torch.export import draft_export

library = torch.library.Library("shop", "DEF")
library.define("turned(Tensor x) -> Tensor")
library.impl("turned", lambda x: x.t().contiguous(), "CPU")
library.impl("turned", lambda x: torch.empty_like(x), "Meta")


class Model(nn.Module):
    def forward(self, x):
        return torch.ops.shop.turned(x)  # HERE


inputs = (torch.ones(2, 3),)
result(draft_export(Model(), inputs).module()(*inputs))
