# A mixture of experts: each expert gets the tokens that were routed to it.
# True cause: torch.where(mask) with one argument: how many tokens an expert gets depends on data.
# versions: 2.13+
# finding: break-data-shape
import torch
from result import result
from torch import nn


class Experts(nn.Module):
    def __init__(self, dim=8, experts=3):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(dim, 16), nn.GELU(), nn.Linear(16, dim)) for _ in range(experts))

    def forward(self, x):
        weight, chosen = self.gate(x).softmax(-1).max(-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            (rows,) = torch.where(chosen == i)  # HERE
            out[rows] = weight[rows, None] * expert(x[rows])
        return out


torch.manual_seed(0)
layer = torch.compile(Experts().eval(), backend="eager")
with torch.no_grad():
    for _ in range(3):
        result(layer(torch.randn(10, 8)))
