import random

import torch
from result import result


random.seed(3)


@torch.compile(backend="eager")
def f(x, r):
    y = x.sin() * 2
    return y.cos() * r


result(f(torch.ones(4), torch.tensor(random.gauss(0, 1))))
