# All sizes are dynamic from the beginning, and the last batch has one row.
# finding: recompile-small-size
# not: recompile-shape-relation
# severity: low
import torch
from result import result


def f(x):
    return x.sin() * 2


compiled = torch.compile(f, backend="eager", dynamic=True)
for n in (4, 5, 6, 1):
    result(compiled(torch.arange(n) / 7))  # HERE
