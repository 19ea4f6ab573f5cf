# Functions of Python's math need the number itself, also where it is captured as a symbol.
# versions: 2.13+
# finding: break-item
# says: take the tensor
import math

import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    scale = math.exp(-x.sum().item())  # HERE
    return x * scale


for n in range(3):
    result(f(torch.ones(3) * 0.1 * n).round(decimals=4))
