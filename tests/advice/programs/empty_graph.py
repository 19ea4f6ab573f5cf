# A helper that computes nothing with tensors is compiled, too.
# finding: empty-graph
# severity: low
import torch
from result import result


def sizes(n):  # HERE
    return [i * 2 for i in range(n)]


def f(x):
    return x * 2


result(torch.compile(sizes, backend="eager")(3), torch.compile(f, backend="eager")(torch.ones(3)))
