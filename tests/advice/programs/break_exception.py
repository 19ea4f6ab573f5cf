# An exception is raised, and caught by the caller.
# finding: break-exception
# also: skipped-frame recompile-dimensions
import torch
from result import result


def f(x):
    y = x.sin()
    if x.dim() != 2:
        raise ValueError("one dimension")  # HERE
    return y


compiled = torch.compile(f, backend="eager")
try:
    compiled(torch.ones(3))
except ValueError as error:
    result(str(error))
result(compiled(torch.ones(2, 2)))
