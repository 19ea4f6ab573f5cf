import numpy as np
import torch
from result import result


@torch.compile(backend="eager")
def per_item(sold):
    return np.sqrt(sold) * 2


for day in range(4):
    sold = np.arange(6.0).reshape(2, 3) + day
    sold = np.asfortranarray(sold) if day % 2 else sold
    sold = sold.copy()
    result(torch.from_numpy(np.ascontiguousarray(per_item(sold))))
