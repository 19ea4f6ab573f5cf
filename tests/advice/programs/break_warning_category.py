# A warning with a category cannot be delayed.
# finding: break-print
# versions: 2.13+
import warnings

import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    warnings.warn("old", DeprecationWarning, stacklevel=2)  # HERE
    return y.cos() + 1


result(f(torch.ones(4)), f(torch.zeros(4)))
