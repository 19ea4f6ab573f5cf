# A training module keeps a history of its loss, as numbers.
# True cause: .item() in the compiled function.
# versions: 2.13+
# long
# finding: break-item
# also: recompile-length recompile-length
import torch
from result import result
from torch import nn


class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))
        self.logged = {}

    def log(self, name, value):
        self.logged.setdefault(name, []).append(value.item())  # HERE

    def forward(self, batch):
        x, y = batch
        loss = (self.net(x).squeeze(-1) - y).abs().mean()
        self.log("loss", loss)
        return loss * 0.5


torch.manual_seed(0)
module = Module()
fast = torch.compile(module, backend="aot_eager")
for _ in range(3):
    fast((torch.randn(5, 6), torch.randn(5))).backward()
result(module.net[0].weight.grad, module.logged)
