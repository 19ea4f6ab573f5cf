# A generator is returned beside the tensor.
# finding: break-generator
# severity: critical
# also: skipped-frame
# versions: 2.13+
import torch
from result import result


def f(x):
    y = x.sin()
    return y.cos(), (i * 2 for i in [1, 2])  # HERE


y, numbers = torch.compile(f, backend="eager")(torch.ones(3))
result(y, sum(numbers))
