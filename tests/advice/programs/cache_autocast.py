# A part of the graph runs under autocast: PyTorch caches no such graph, which is not the program's fault.
# clean
# never-says: custom operator
# inductor
import torch
from result import result


@torch.compile
def price(x, w):
    y = x.relu() + 1
    with torch.autocast("cpu", torch.bfloat16):
        y = y @ w
    return y.float().sum(1)


torch.manual_seed(0)
result(price(torch.randn(4, 8), torch.randn(8, 8)))
