# Sinkhorn iterations until the matrix is doubly stochastic.
# versions: 2.13+
# long
# finding: break-branch|break-item
# also: skipped-frame break-item break-branch
import torch
from result import result


def normalize(p):
    p = p / p.sum(1, keepdim=True)
    return p / p.sum(0, keepdim=True)


@torch.compile(backend="eager")
def sinkhorn(scores):
    p = (scores / 0.5).exp()
    for _ in range(20):
        p = normalize(p)
        if (p.sum(1) - 1).abs().max() < 1e-3:  # HERE
            break
    return p


torch.manual_seed(0)
result(sinkhorn(torch.randn(5, 5)))
