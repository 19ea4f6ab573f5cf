# Python's random numbers.
# finding: break-random
import random

import torch
from result import result


random.seed(3)


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    return y.cos() * random.gauss(0, 1)  # HERE


result(f(torch.ones(4)))
