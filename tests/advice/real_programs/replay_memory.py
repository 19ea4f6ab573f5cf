# A contrastive memory grows until it is full.
# True cause: dimension 0 of the buffer `self.memory` grows with each call.
# finding: recompile-size
# says: memory
# never-says: dynamic=False
import torch
from result import result
from torch import nn


class Contrast(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(6, 4)
        self.register_buffer("memory", torch.randn(2, 4))

    def forward(self, x):
        return self.project(x) @ self.memory.T


torch.manual_seed(0)
net = Contrast()
model = torch.compile(net, backend="eager")
for step in range(5):
    out = model(torch.randn(3, 6))  # HERE
    result(out.sum())
    net.memory = torch.cat([net.memory, torch.randn(2, 4)])
