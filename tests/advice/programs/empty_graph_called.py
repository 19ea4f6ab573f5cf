# A helper that only reads sizes is called between two graphs, and is looked at by the compiler.
# finding: break-on-purpose
# also: empty-graph
import torch
from result import result


def sizes(x):
    return [i * 2 for i in range(x.shape[0])]


@torch.compiler.disable(recursive=False)
def between(x):
    return sizes(x)


def f(x):
    y = x * 2
    between(y)  # HERE
    return y + 1


result(torch.compile(f, backend="eager")(torch.ones(3)))
