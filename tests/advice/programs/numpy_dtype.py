# Arrays of NumPy have one of two dtypes in a compiled function: both arrays of a call change together.
# finding: recompile-dtype
# says: The same for `price`
# tolerance: 1e-6
import numpy as np
import torch
from result import result


@torch.compile(backend="eager")  # HERE (2.7+)
def gross(price, tax):
    return np.sqrt(price) * tax


for day in range(4):
    kind = np.float32 if day % 2 else np.float64
    price, tax = np.arange(1, 5).astype(kind), np.full(4, 1.5).astype(kind)
    result(torch.from_numpy(np.asarray(gross(price, tax), dtype=np.float64)))  # HERE (2.4-2.6)
