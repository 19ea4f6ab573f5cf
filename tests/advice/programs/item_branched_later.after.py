import torch
from result import result


@torch.compile(backend="eager")
def clip(grads, most):
    norms = [grad.pow(2).sum() for grad in grads]
    total = torch.stack(norms).sum().sqrt()

    factor = torch.where(total > most, most / total, 1.0)
    grads = [grad * factor for grad in grads]
    return [grad * 2 for grad in grads]


for n in (1, 1, 1):
    result(clip([torch.ones(4) * n, torch.ones(2, 3) * n], 2.0))
