# dynamic=True is on, and a comparison with a constant fixes the size of the first call.
# finding: recompile-specialized
# not: specialization recompile-size
import torch
from result import result


def f(x):
    if x.shape[0] == 7:  # HERE
        x = x + 1
    return x * 2


compiled = torch.compile(f, backend="eager", dynamic=True)
for n in (7, 8, 9):
    x = torch.arange(n) / 7
    y = compiled(x)
    result(y)
