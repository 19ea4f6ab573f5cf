# An observer of activations for quantization keeps the range as Python floats.
# True cause: float() of a tensor in the compiled function.
# versions: 2.13+
# finding: break-item
# also: recompile-module-attribute recompile-float
import torch
from result import result
from torch import nn


class Observed(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner, self.low, self.high = inner, 0.0, 0.0

    def forward(self, x):
        y = self.inner(x)
        self.low = min(self.low, float(y.min()))  # HERE
        self.high = max(self.high, float(y.max()))  # HERE
        scale = (self.high - self.low) / 255 + 1e-8
        return torch.clamp(torch.round(y / scale), -128, 127) * scale


torch.manual_seed(0)
model = torch.compile(nn.Sequential(Observed(nn.Linear(8, 8)), nn.ReLU(), Observed(nn.Linear(8, 4))), backend="eager")
with torch.no_grad():
    for _ in range(3):
        result(model(torch.randn(4, 8)))
