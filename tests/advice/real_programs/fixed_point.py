# A deep equilibrium layer: iterates until it changes no more.
# True cause: the loop's condition depends on the values of tensors.
# versions: 2.13+
# long
# finding: break-branch
# also: tiny-graphs skipped-frame break-hotspot
import torch
from result import result
from torch import nn


class Equilibrium(nn.Module):
    def __init__(self, width=8, tolerance=1e-3):
        super().__init__()
        self.inner, self.inject, self.tolerance = nn.Linear(width, width), nn.Linear(width, width), tolerance
        with torch.no_grad():
            self.inner.weight.mul_(0.3)

    def forward(self, x):
        z, injected = torch.zeros_like(x), self.inject(x)
        while True:
            new = torch.tanh(self.inner(z) + injected)
            if (new - z).abs().max() < self.tolerance:  # HERE
                return new
            z = new


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.layer, self.head = nn.Linear(5, 8), Equilibrium(), nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.layer(self.stem(x)))


torch.manual_seed(0)
model = torch.compile(Model().eval(), backend="eager")
with torch.no_grad():
    for _ in range(2):
        result(model(torch.randn(3, 5)))
