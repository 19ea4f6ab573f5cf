# Below a break Python calls a function that is compiled with fullgraph=True: this one is forbidden, and ends the program.
# finding: error
# also: break-print break-on-purpose break-branch
# says: `fullgraph=True` failed
# never-says: run eagerly\): `price`
# fails: (?i)data-dependent
# versions: 2.7+
import torch
from result import result


@torch.compile(backend="eager", fullgraph=True)
def price(x):
    if x.sum() > 3:  # HERE
        return x * 2
    return x


@torch.compile(backend="eager")
def order(x):
    y = x + 1
    torch._dynamo.graph_break()
    return price(y)


result(order(torch.ones(4)))
