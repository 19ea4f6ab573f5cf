import numpy as np
import torch
from result import result


@torch.compile(backend="eager")
def gross(price, tax):
    return np.sqrt(price) * tax


for day in range(4):
    kind = np.float32 if day % 2 else np.float64
    price, tax = np.arange(1, 5).astype(kind), np.full(4, 1.5).astype(kind)
    price = price.astype("float64")
    tax = tax.astype("float64")
    result(torch.from_numpy(np.asarray(gross(price, tax), dtype=np.float64)))
