import torch
from result import result


@torch.compiler.disable
def sizes(x):
    return [i * x.shape[0] for i in range(1000)]


@torch.compiler.disable(recursive=False)
def between(x):
    return sizes(x)


def f(x):
    y = x * 2
    between(y)
    return y + 1


result(torch.compile(f, backend="eager")(torch.ones(3)))
