# An array of NumPy has another length in each call.
# finding: recompile-size
# says: array of NumPy, whose sizes cannot be marked
# never-says: mark_dynamic
import numpy as np
import torch
from result import result


@torch.compile(backend="eager")
def total(sold):
    return np.sqrt(sold).sum()


for n in range(4):
    result(torch.tensor(float(total(np.arange(3.0 + n)))))  # HERE
