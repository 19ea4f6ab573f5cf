# An epoch whose last batch has a single sample.
# True cause: a batch of 1 is always compiled for itself; the size is dynamic only from 2 on.
# versions: 2.13+
# finding: recompile-small-size
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
data = torch.utils.data.TensorDataset(torch.randn(17, 6))
compiled = torch.compile(Net().eval(), backend="eager")
with torch.no_grad():
    for epoch in range(2):
        for (x,) in torch.utils.data.DataLoader(data, batch_size=4):
            result(compiled(x))
