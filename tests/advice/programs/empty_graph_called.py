# A helper without tensors, which is called between two graphs, is looked at by the compiler.
# finding: empty-graph
# also: break-on-purpose
# versions: 2.6+
import torch
from result import result


def sizes(x):  # HERE
    return [i * x.shape[0] for i in range(1000)]


@torch.compiler.disable(recursive=False)
def between(x):
    return sizes(x)


def f(x):
    y = x * 2
    between(y)
    return y + 1


result(torch.compile(f, backend="eager")(torch.ones(3)))
