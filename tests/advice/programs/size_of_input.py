# The size of the only input changes with each call.
# finding: recompile-size
# paste-before (2.7+): # CALL
import torch
from result import result


def f(x):
    return x.sin() * 2


compiled = torch.compile(f, backend="eager")
for n in (4, 5, 6, 7):
    x = torch.arange(n) / 7
    y = compiled(x)  # HERE  # CALL
    result(y)
