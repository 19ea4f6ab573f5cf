import json
import zlib

import torch
from result import result


@torch.compiler.disable
def shelves(x):
    packed = zlib.crc32(b"till")
    packed += len(json.dumps([packed]))
    for price in x.tolist():
        packed += zlib.crc32(str(price).encode())
    return torch.tensor([packed % 2, 1])


@torch.compile(backend="eager")
def loss(x):
    y = x.sin() * 2
    order = shelves(y.detach())
    return y[order].cos() + 1


result(loss(torch.ones(4)))
