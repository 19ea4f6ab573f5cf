# A size that is read from a tensor does not say whether a view is possible.
# finding: data-dependent
# versions: 2.5-2.6
# says: u0 == -1
# fails: data-dependent
import torch
from result import result

torch._dynamo.config.capture_scalar_outputs = True


@torch.compile(backend="eager", fullgraph=True)
def f(x, y):
    n = x.sum().item()
    return y.view(n, -1) * 2  # HERE


result(f(torch.ones(3, dtype=torch.int64), torch.arange(12.0)))
