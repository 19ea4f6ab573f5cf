# A function of a package that is written in C.
# finding: break-c-function
import torch
from markupsafe import _speedups
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    n = len(_speedups._escape_inner("a < b"))  # HERE
    return y.cos() * n


result(f(torch.ones(4)))
