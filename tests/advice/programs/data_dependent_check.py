# A sum that is read into Python decides on a branch, and the whole function is to be one graph.
# finding: data-dependent
# severity: critical
# fails: data-dependent
import torch
from result import result

torch._dynamo.config.capture_scalar_outputs = True


@torch.compile(backend="eager", fullgraph=True)
def f(x):
    n = (x > 0).sum().item()
    if n > 4:  # HERE
        return x * 2
    return x


result(f(torch.ones(8)))
