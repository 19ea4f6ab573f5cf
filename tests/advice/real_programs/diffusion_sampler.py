# A sampling loop calls the denoiser with the step as a Python int, and with sigma as a float.
# True cause: the number `sigma`, or `step`, changes.
# versions: 2.13+
# long
# finding: recompile-float|recompile-int
import torch
from result import result
from torch import nn


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(9, 32), nn.SiLU(), nn.Linear(32, 8))

    def forward(self, x, step, sigma):
        t = torch.full((x.shape[0], 1), step / 10)
        return self.net(torch.cat([x * (1 / (sigma ** 2 + 1) ** 0.5), t], 1))


torch.manual_seed(0)
denoise = torch.compile(Denoiser().eval(), backend="eager")
x = torch.randn(4, 8)
sigmas = [8.0, 4.0, 2.0, 1.0, 0.5]
with torch.no_grad():
    for step, sigma in enumerate(sigmas):
        x = x - 0.1 * denoise(x, step + 2, sigma)  # HERE
result(x)
