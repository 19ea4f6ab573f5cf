# An integer is the length of a loop, which is unrolled.
# finding: recompile-specialized
# not: specialization recompile-int
import torch
from result import result


def f(x, n):
    for _ in range(n):  # HERE
        x = x + 1
    return x


compiled = torch.compile(f, backend="eager")
for n in (2, 3, 4):
    result(compiled(torch.ones(3), n))
