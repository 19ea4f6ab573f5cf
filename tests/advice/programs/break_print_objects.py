# Dynamo cannot delay a print of lists: it is left out of compiled code.
# finding: break-print
# output: differs
# versions: 2.13+
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    print("shape", y.shape, [1, 2])  # HERE
    return y.cos() + 1


result(f(torch.ones(4)), f(torch.zeros(4)))
