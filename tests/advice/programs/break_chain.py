# Breaks one after the other: what goes on from the second with a number that the first one read follows from the first.
# versions: 2.13+
# long
# finding: break-item|recompile-size
# also: recompile-size break-item break-print break-data-shape
# not: recompile-float
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    n = x.sum().item()
    y = x * n
    idx = y.nonzero()
    print("idx")
    z = y[idx[:, 0]].sum(0)
    print("end")
    return z * 2


for n in range(1, 5):
    result(f(torch.ones(n + 2, 3) * n))
