# Tokens are dropped by a boolean mask before the encoder.
# versions: 2.13+
# long
# finding: break-data-shape
# also: recompile-size
import torch
from result import result
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.mix = nn.Linear(8, 16), nn.Linear(16, 16)

    def forward(self, patches, keep):
        x = self.embed(patches)
        x = x[keep]  # HERE
        return torch.tanh(self.mix(x)).mean(0)


torch.manual_seed(0)
encoder = torch.compile(Encoder().eval(), backend="eager")
with torch.no_grad():
    for _ in range(3):
        result(encoder(torch.randn(20, 8), torch.rand(20) > 0.4))
