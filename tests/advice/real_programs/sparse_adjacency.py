# A graph convolution with a sparse adjacency matrix as its input.
# True cause: a sparse tensor comes into the compiled function.
# versions: 2.13+
# long
# finding: break-tensor-kind
# also: skipped-frame
import torch
from result import result
from torch import nn


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(6, 16), nn.Linear(16, 3)

    def forward(self, x, adjacency):
        x = torch.sparse.mm(adjacency, self.first(x)).relu()
        return torch.sparse.mm(adjacency, self.second(x))


def ring(n):
    here = torch.arange(n)
    edges = torch.stack([here, (here + 1) % n])
    return torch.sparse_coo_tensor(edges, torch.ones(n), (n, n)).coalesce()


torch.manual_seed(0)
model, adjacency = torch.compile(GCN().eval(), backend="eager"), ring(10)
with torch.no_grad():
    for _ in range(3):
        result(model(torch.randn(10, 6), adjacency))
