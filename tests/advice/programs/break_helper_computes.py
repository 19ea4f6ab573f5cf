# A called function that breaks the graph as often, but computes between the breaks.
# finding: break-c-function
# not: break-hotspot
# also: break-builtin break-item break-c-function
# versions: 2.6+
import zlib

import torch
from result import result


def shelves(x):
    x = x.cos() + zlib.crc32(b"till")  # HERE
    x = x.sin() + zlib.crc32(b"shop")  # HERE
    return x.exp() + zlib.crc32(b"shelf")  # HERE


@torch.compile(backend="eager")
def loss(x):
    return shelves(x.sin() * 2) + 1


result(loss(torch.ones(4)))
