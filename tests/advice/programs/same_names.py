# Three functions use the same variable names and compute different things.
# clean
import torch
from result import result


def first(x):
    x = x.sin()
    x = x + 1
    x = x.relu()
    return x.exp()


def second(x):
    x = x.cos()
    x = x * 2
    x = x.tanh()
    return x.exp()


def third(x):
    x = x.abs()
    x = x - 3
    x = x.sigmoid()
    return x.exp()


for f in (first, second, third):
    result(torch.compile(f, backend="eager")(torch.ones(2, 4)))
