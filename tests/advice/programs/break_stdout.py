# Writing to a stream.
# finding: break-print
# output: differs
# versions: 2.6+
import sys

import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    sys.stdout.write("here\n")  # HERE
    return y.cos() + 1


result(f(torch.ones(4)))
