# A function reads a global float that changes.
# finding: recompile-global-value
# versions: 2.7+
import torch
from result import result

SCALE = 0.5


def f(x):
    return x * SCALE  # HERE


compiled = torch.compile(f, backend="eager")
for i in range(4):
    result(compiled(torch.ones(3)))
    SCALE += 1
