# What a call returns that breaks the graph has the size of the input: a mark at the input does not reach it.
# finding: break-on-purpose
# also: recompile-size
import torch
from result import result


@torch.compiler.disable
def sold(x):
    return x + 1


@torch.compile(backend="eager")
def f(x):
    y = sold(x.sin())  # HERE
    return y.cos() * 2


for n in (5, 7, 9):
    result(f(torch.ones(n)))
