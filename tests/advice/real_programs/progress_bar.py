# A progress bar, as tqdm draws it, moves on with each layer.
# True cause: the bar writes to standard error within the compiled model.
# Fix: leave the bar out of what is compiled.
# versions: 2.13+
# long
# finding: break-print|break-builtin|break-c-function
# also: tiny-graphs break-hotspot skipped-frame
import sys

import torch
from result import result
from torch import nn


class Bar:
    def __init__(self, total):
        self.total, self.done = total, 0

    def update(self, n=1):
        self.done += n
        sys.stderr.write("\r" + "#" * self.done + "-" * (self.total - self.done))  # HERE
        if self.done == self.total:
            self.done = 0


class Model(nn.Module):
    def __init__(self, layers=3):
        super().__init__()
        self.layers, self.bar = nn.ModuleList(nn.Linear(8, 8) for _ in range(layers)), Bar(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).tanh()
            self.bar.update()
        return x


torch.manual_seed(0)
model = torch.compile(Model().eval(), backend="eager")
with torch.no_grad():
    for _ in range(2):
        result(model(torch.randn(2, 8)))
