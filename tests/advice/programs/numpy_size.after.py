import numpy as np
import torch
from result import result


@torch.compile(backend="eager", dynamic=True)
def total(sold):
    return np.sqrt(sold).sum()


for n in range(4):
    result(torch.tensor(float(total(np.arange(3.0 + n)))))
