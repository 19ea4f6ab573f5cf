import torch
from result import result
from torch import nn
from torch.export import draft_export


class Model(nn.Module):
    def forward(self, x):
        if x.shape[0] == 3:
            return x * 2
        return x


inputs = (torch.ones(3),)
result(draft_export(Model(), inputs).module()(*inputs))
