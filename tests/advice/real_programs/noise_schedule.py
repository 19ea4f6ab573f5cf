# The sampler of a diffusion model: factors of each step stand in a Python list, which is indexed by the number of the step.
# True cause: `step` is an index of a list in the compiled code, so each number is a compile of its own.
# Fix: factors in a tensor, indexed by a tensor; or the list's item passed in as a tensor.
# versions: 2.13+
# long
# finding: recompile-specialized|recompile-limit
# says: step
import math

import torch
from result import result
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, steps=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, 8))
        self.keep = [math.cos(0.2 * i + 0.1) ** 2 for i in range(steps)]

    def forward(self, x, step):
        noise = self.net(x)
        keep = self.keep[step]  # HERE
        return (x - (1 - keep) * noise) / math.sqrt(keep)


torch.manual_seed(0)
model = torch.compile(Denoiser().eval(), backend="eager")
with torch.no_grad():
    x = torch.randn(2, 8)
    for step in reversed(range(6)):
        x = model(x, step)
result(x)
