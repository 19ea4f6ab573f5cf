# The last batch has one row: PyTorch compiles that on its own, whatever is marked.
# finding: recompile-size
# also: recompile-small-size
# not: recompile-shape-relation
# paste-before (2.7+): # CALL
import torch
from result import result


def f(x):
    return x.sin() * 2


compiled = torch.compile(f, backend="eager")
for n in (4, 5, 6, 1):
    x = torch.arange(n) / 7
    y = compiled(x)  # HERE  # CALL
    result(y)
