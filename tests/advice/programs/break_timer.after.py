import time

import torch
from result import result

spent = [0.0]


def f(x):
    y = (x * 2).relu()
    return y + 1


start = time.perf_counter()
result(torch.compile(f, backend="eager")(torch.ones(3)))
spent[0] += time.perf_counter() - start
