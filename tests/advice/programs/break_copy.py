# A tensor is copied as a Python object: the break is inside of copy.py.
# finding: break-builtin
import copy

import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    z = copy.deepcopy(y)  # HERE
    return z.cos() + y


result(f(torch.ones(4)))
