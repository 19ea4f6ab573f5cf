# A Python float changes.
# finding: recompile-float
import torch
from result import result


def f(x, lr):
    return x - x * lr


compiled = torch.compile(f, backend="eager")
for i in range(4):
    result(compiled(torch.ones(3), torch.tensor(0.5 * (i + 1))))  # HERE
