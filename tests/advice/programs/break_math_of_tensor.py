# The same of a tensor: its value is read without a word.
# versions: 2.13+
# long
# finding: break-item
# says: take the tensor
import math

import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    return x * math.sqrt(x.sum())  # HERE


for n in range(3):
    result(f(torch.ones(3) * n).round(decimals=4))
