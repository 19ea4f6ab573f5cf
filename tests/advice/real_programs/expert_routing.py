# A mixture of experts that gathers the tokens of each expert.
# True cause: torch.where(mask) of one argument (nonzero): its size depends on data.
# versions: 2.13+
# long
# finding: break-data-shape
import torch
from result import result
from torch import nn


class Expert(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        return self.down(nn.functional.silu(self.up(x)))


class Mixture(nn.Module):
    def __init__(self, width=12, experts=3):
        super().__init__()
        self.gate, self.experts = nn.Linear(width, experts), nn.ModuleList(Expert(width) for _ in range(experts))

    def forward(self, x):
        weight, chosen = self.gate(x).softmax(-1).max(-1)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows = torch.where(chosen == number)[0]  # HERE
            out.index_add_(0, rows, expert(x[rows]) * weight[rows, None])
        return out


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.mixture = nn.LayerNorm(12), Mixture()

    def forward(self, x):
        return x + self.mixture(self.norm(x))


torch.manual_seed(0)
block = torch.compile(Block().eval(), backend="eager")
with torch.no_grad():
    for _ in range(4):
        result(block(torch.randn(20, 12)))
