# Points are subsampled with NumPy's random numbers in the middle of the forward pass.
# True cause: np.random.permutation breaks the graph.
# versions: 2.13+
# never-says: torch\.rand\(\(\)\)
# finding: break-random|break-numpy
import numpy as np
import torch
from result import result
from torch import nn


class PointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter, self.out = nn.Linear(3, 16), nn.Linear(16, 4)

    def forward(self, points):
        x = self.enter(points).relu()
        order = np.random.permutation(points.shape[0])[:8]  # HERE
        return self.out(x[torch.from_numpy(order)].max(0).values)


torch.manual_seed(0)
np.random.seed(0)
net = torch.compile(PointNet().eval(), backend="eager")
with torch.no_grad():
    for _ in range(3):
        result(net(torch.randn(20, 3)))
