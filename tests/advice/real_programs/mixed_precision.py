# The first steps run in full precision, later ones under autocast.
# True cause: autocast is switched on between calls, which is a global state that compiled code depends on.
# versions: 2.13+
# finding: recompile-global-state
# says: autocast
import contextlib

import torch
from result import result
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 16), nn.Linear(16, 2)

    def forward(self, x):
        return self.b(self.a(x).relu())


torch.manual_seed(0)
net = Net()
compiled = torch.compile(net, backend="eager")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    with torch.autocast("cpu", torch.bfloat16) if step >= 2 else contextlib.nullcontext():
        loss = compiled(torch.randn(8, 6)).float().pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    result(loss)
