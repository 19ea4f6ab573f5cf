# A Python loop over a dimension is unrolled for each size. Marking the size as dynamic would fail.
# finding: recompile-specialized
# not: specialization recompile-size
import torch
from result import result


def f(x):
    out = []
    for i in range(x.shape[0]):  # HERE
        out.append(x[i] * i)
    return torch.stack(out)


compiled = torch.compile(f, backend="eager")
for n in (3, 4, 5):
    x = torch.arange(2 * n).reshape(n, 2) / 7
    y = compiled(x)
    result(y)
