# A value is read from a tensor, and a later line branches on it: capturing the value would only move the break there.
# tolerance: 1e-6
# versions: 2.13+
# finding: break-item
# says: line 15 branches on it
import torch
from result import result


@torch.compile(backend="eager")
def clip(grads, most):
    norms = [grad.pow(2).sum() for grad in grads]
    total = torch.stack(norms).sum().sqrt().item()  # HERE

    if total > most:
        grads = [grad * (most / total) for grad in grads]
    return [grad * 2 for grad in grads]


for n in (1, 1, 1):
    result(clip([torch.ones(4) * n, torch.ones(2, 3) * n], 2.0))
