import torch
from result import result


def f(x, labels):
    y = x.softmax(0)
    ordered = labels.sort().values
    return y * (1 + (ordered[1:] != ordered[:-1]).sum())


result(torch.compile(f, backend="eager")(torch.ones(3), torch.tensor([1, 2, 2])))
