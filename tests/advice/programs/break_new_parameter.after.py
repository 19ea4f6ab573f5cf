import torch
from result import result

scale = torch.nn.Parameter(torch.ones(3))


def f(x):
    y = x.sin()
    return y * scale


result(torch.compile(f, backend="eager")(torch.ones(3)))
