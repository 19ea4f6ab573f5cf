# Fake quantization: an observer follows the range of its inputs; whether it has seen any is a buffer.
# True cause: `if self.seen`: a branch on a tensor.
# versions: 2.13+
# long
# finding: break-branch
# also: tiny-graphs break-hotspot skipped-frame
import torch
from result import result
from torch import nn


class Observer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.tensor(False))
        self.register_buffer("low", torch.tensor(0.0))
        self.register_buffer("high", torch.tensor(0.0))

    def forward(self, x):
        low, high = x.min(), x.max()
        if self.seen:  # HERE
            low, high = torch.minimum(low, self.low), torch.maximum(high, self.high)
        self.low.copy_(low)
        self.high.copy_(high)
        self.seen.fill_(True)
        scale = (self.high - self.low) / 255
        return ((x - self.low) / scale).round() * scale + self.low


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.watch, self.b = nn.Linear(6, 12), Observer(), nn.Linear(12, 2)

    def forward(self, x):
        return self.b(self.watch(self.a(x).relu()))


torch.manual_seed(0)
net = torch.compile(Net().eval(), backend="eager")
with torch.no_grad():
    for _ in range(4):
        result(net(torch.randn(5, 6)))
