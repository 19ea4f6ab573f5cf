# A scan as a custom operator of torch.library, made long ago: it has a kernel for the CPU and none for fake tensors.
# True cause: the operator mylab::scan has no fake kernel.
# Fix: register_fake.
# versions: 2.13+
# long
# finding: missing-fake-kernel
# says: mylab::scan
import torch
from result import result
from torch import nn

library = torch.library.Library("mylab", "DEF")
library.define("scan(Tensor x, Tensor decay, float start) -> Tensor")


def scan_cpu(x, decay, start):
    rows, state = [], torch.full_like(x[:, 0], start)
    for t in range(x.shape[1]):
        state = state * decay[:, t] + x[:, t]
        rows.append(state)
    return torch.stack(rows, 1)


library.impl("scan", scan_cpu, "CPU")


class Mixer(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.inside, self.gate, self.out = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        decay = self.gate(x).sigmoid()
        h = torch.ops.mylab.scan(self.inside(x), decay, 0.5)  # HERE
        return x + self.out(h)


torch.manual_seed(0)
model = torch.compile(nn.Sequential(Mixer(), Mixer()).eval(), backend="eager")
with torch.no_grad():
    for _ in range(2):
        result(model(torch.randn(2, 5, 8)))
