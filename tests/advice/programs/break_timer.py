# A clock is read between two layers.
# finding: break-c-function
# severity: medium
# says: time.perf_counter
import time

import torch
from result import result

spent = [0.0]


def f(x):
    start = time.perf_counter()  # HERE
    y = (x * 2).relu()
    spent[0] += time.perf_counter() - start  # HERE
    return y + 1


result(torch.compile(f, backend="eager")(torch.ones(3)))
