# A graph input that is no parameter is changed in place.
# inductor
# long
# finding: mutated-inputs
# severity: info
import torch
from result import result


@torch.compile
def f(x, total):
    total.add_(x.sum())  # HERE
    return x * 2


total = torch.zeros(4)
result(f(torch.ones(64), total), total)
