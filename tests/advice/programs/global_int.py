# A function reads a global integer that changes.
# finding: recompile-global-value
import torch
from result import result

EPOCH = 0


def f(x):
    return x * EPOCH  # HERE (2.7+)


compiled = torch.compile(f, backend="eager")
for EPOCH in range(4):
    result(compiled(torch.ones(3)))  # HERE (2.4-2.6)
