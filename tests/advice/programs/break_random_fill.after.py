import torch
from result import result


def f(x):
    y = x.sin()
    noise = torch.randint(5, 6, (3,)).float()
    return y + noise


result(torch.compile(f, backend="eager")(torch.ones(3)))
