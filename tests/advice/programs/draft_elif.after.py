import torch
from result import result
from torch import nn
from torch.export import draft_export


class Model(nn.Module):
    def forward(self, x, n, flag: bool):
        length = n.sum().item()
        torch._check(length > 2)
        if flag:
            return x
        elif length > 2:
            return x * 2
        return x


inputs = torch.ones(3), torch.tensor([1, 3]), False
result(draft_export(Model(), inputs).module()(*inputs))
