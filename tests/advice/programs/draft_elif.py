# Nothing can stand before an `elif`: the check goes before its `if`, and a person puts it there.
# dtrace
# versions: 2.7+
# finding: data-dependent
import torch
from result import result
from torch import nn
from torch.export import draft_export


class Model(nn.Module):
    def forward(self, x, n, flag: bool):
        length = n.sum().item()
        if flag:
            return x
        elif length > 2:  # HERE
            return x * 2
        return x


inputs = torch.ones(3), torch.tensor([1, 3]), False
result(draft_export(Model(), inputs).module()(*inputs))
