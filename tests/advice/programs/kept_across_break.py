# A value outlives a break, and has the size of the input: its recompile follows from the input's, not from the break.
# finding: break-on-purpose
# also: recompile-size
import torch
from result import result


@torch.compiler.disable
def note(x):
    pass


@torch.compile(backend="eager")
def f(x):
    y = x.sin()
    note(y[:1])  # HERE
    return y.cos() * 2


for n in (5, 7, 9):
    result(f(torch.ones(n)))
