# Draft export takes it from the example that a value read from a tensor is not 0.
# dtrace
# versions: 2.7+
# finding: data-dependent
# paste-before: # HERE
import torch
from result import result
from torch import nn
from torch.export import draft_export


class Model(nn.Module):
    def forward(self, x, n):
        length = n.sum().item()
        if length == 0:  # HERE
            return x
        return x * 2


inputs = torch.ones(3), torch.tensor([1, 3])
result(draft_export(Model(), inputs).module()(*inputs))
