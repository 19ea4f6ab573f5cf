# Values of tensors are read as Python numbers.
# finding: break-item
# severity: medium
# not: recompile-float
# versions: 2.13+
import torch
from result import result


@torch.compile(backend="aot_eager")
def f(x, n):
    y = x.sin() * 2
    scale = y.sum().item()  # HERE
    y = y.cos() * scale
    k = int(n)  # HERE
    return y.sum() + torch.arange(k).sum()


result(f(torch.ones(4), torch.tensor(3)), f(torch.ones(4), torch.tensor(3)))
