# The graph calls a function of the program's as it is, so that it is cached in no process.
# finding: cache-bypass
# severity: low
# says: As a custom operator
# inductor
# versions: 2.7+
import torch
from result import result


def clearance(x):
    return x * 0.5 + 1


torch.compiler.allow_in_graph(clearance)


@torch.compile
def price(x):
    return clearance(x.relu()) * 2


result(price(torch.ones(4)))
