# A helper without tensors, which is called between two graphs, is looked at by the compiler.
# finding: empty-graph
# also: break-on-purpose
import torch
from result import result


def sizes(n):  # HERE
    return [i * 2 for i in range(n)]


@torch.compiler.disable(recursive=False)
def between(x):
    return sizes(x.shape[0])


def f(x):
    y = x * 2
    between(y)
    return y + 1


result(torch.compile(f, backend="eager")(torch.ones(3)))
