# A loop runs as often as a sum says: no check shows Python that number.
# finding: data-dependent
# fails: specialized integer
# never-says: _check\(u
import torch
from result import result

torch._dynamo.config.capture_scalar_outputs = True


@torch.compile(backend="eager", fullgraph=True)
def f(x):
    n = (x > 0).sum().item()
    for _ in range(n):  # HERE
        x = x * 2
    return x


result(f(torch.ones(3)))
