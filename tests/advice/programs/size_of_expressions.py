# What is passed has no names in the caller, so nothing can be marked before the call.
# finding: recompile-size
import torch
from result import result


def add(x, y):
    return x + y


compiled = torch.compile(add, backend="eager")
for n in (4, 5, 6):
    result(compiled(torch.arange(n) / 7, torch.ones(n)))  # HERE
