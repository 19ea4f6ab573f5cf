# A Python integer changes, and is only computed with.
# finding: recompile-int
import torch
from result import result


def f(x, n):
    return x * n + 1


compiled = torch.compile(f, backend="eager")
for n in (2, 3, 4):
    result(compiled(torch.ones(3), n))  # HERE
