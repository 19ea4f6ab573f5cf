# A function reads a global integer that changes.
# finding: recompile-global-value
# versions: 2.7+
import torch
from result import result

EPOCH = 0


def f(x):
    return x * EPOCH  # HERE


compiled = torch.compile(f, backend="eager")
for EPOCH in range(4):
    result(compiled(torch.ones(3)))
