# LayerDrop: in training, layers are left out at random, as Python's random numbers decide.
# True cause: random.random() decides in the compiled code which layers run.
# versions: 2.13+
# long
# finding: break-random|recompile-specialized|recompile-shape-relation|break-branch
# also: recompile-shape-relation recompile-float recompile-specialized skipped-frame
import random

import torch
from result import result
from torch import nn


class Encoder(nn.Module):
    def __init__(self, layers=4):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(layers))

    def forward(self, x):
        for layer in self.layers:
            if self.training and random.random() < 0.3:  # HERE
                continue
            x = x + layer(x).relu()
        return x


torch.manual_seed(0)
random.seed(0)
encoder = torch.compile(Encoder(), backend="eager")
for _ in range(5):
    result(encoder(torch.randn(2, 8)).sum().abs() > 0)
