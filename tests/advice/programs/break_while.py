# A loop that ends when a tensor says so. Inside, the transform that Python then runs cannot be compiled by itself: it follows.
# tolerance: 1e-4
# finding: break-branch
# also: skipped-frame error break-other
# says: depends on a tensor's value|branch on a tensor's value
# never-says: fullgraph=True. failed|in place of the branch
# versions: 2.6+
import torch
from result import result
from torch.func import jacrev

torch.manual_seed(0)
rates = torch.randn(4, 4) * 0.1 + torch.eye(4)
stock = torch.randn(4)


def missing(x):
    return rates @ x - stock


@torch.compile(backend="eager")
def order(x):
    left = missing(x)
    while left.norm() > 1e-5:  # HERE
        slope = jacrev(missing)(x)
        x = x - torch.linalg.solve(slope, left)
        left = missing(x)
    return x


result(torch.stack([order(torch.full((4,), float(n))) for n in range(3)]))
