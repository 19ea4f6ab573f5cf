# The number of heads is read from a configuration that a search changes.
# True cause: `config.heads`, an integer, which is used in a view.
# versions: 2.13+
# long
# finding: recompile-module-attribute
from types import SimpleNamespace

import torch
from result import result
from torch import nn


class Mixer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.proj = nn.Linear(48, 48)

    def forward(self, x):
        heads = self.proj(x).reshape(x.shape[0], self.config.heads, -1)  # HERE
        return heads.softmax(-1).amax(1).sum(-1)


torch.manual_seed(0)
config = SimpleNamespace(heads=2, name="mixer")
model = torch.compile(Mixer(config), backend="eager")
with torch.no_grad():
    for heads in (2, 3, 4, 6, 8, 12, 16):
        config.heads = heads
        result(model(torch.ones(2, 48)))
