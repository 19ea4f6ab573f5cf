# Tensors are sorted as Python objects.
# finding: break-item
# versions: 2.6+
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    smallest = sorted([y.sum(), y.mean()])[0]  # HERE
    return y.cos() + smallest


result(f(torch.ones(4)))
