# Three functions that compute the same are compiled one by one.
# finding: same-graph
import torch
from result import result

weight = torch.arange(16.0).reshape(4, 4) / 16


def first(x):  # HERE
    return (x @ weight).relu().sin().cos() * 3


def second(x):
    return (x @ weight).relu().sin().cos() * 3


def third(x):
    return (x @ weight).relu().sin().cos() * 3


for f in (first, second, third):
    result(torch.compile(f, backend="eager")(torch.ones(2, 4)))
