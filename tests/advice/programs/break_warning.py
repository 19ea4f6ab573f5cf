# A warning with a text alone can come after the graph.
# finding: break-print
# versions: 2.6+
import warnings

import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    warnings.warn(f"shape {x.shape[0]}, {x.dtype}")  # HERE
    return y.cos() + 1


result(f(torch.ones(4)), f(torch.zeros(4)))
