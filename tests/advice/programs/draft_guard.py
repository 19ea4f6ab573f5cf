# A size that is to be dynamic is compared with a constant: the exported program holds for one size.
# dtrace
# versions: 2.7+
# finding: export-guard
import torch
from result import result
from torch import nn
from torch.export import draft_export


class Model(nn.Module):
    def forward(self, x):
        if x.shape[0] == 3:  # HERE
            return x * 2
        return x


inputs = (torch.ones(3),)
result(draft_export(Model(), inputs, dynamic_shapes=({0: torch.export.Dim("n")},)).module()(*inputs))
