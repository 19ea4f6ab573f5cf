# The bytes of an array are taken in the middle of a function. That nothing else breaks the graph keeps times, which differ, out of
# the order of findings.
# finding: break-numpy
# severity: medium
# says: tobytes
import torch
from result import result


def f(x):
    y = x.sin()
    raw = x.numpy().tobytes()  # HERE
    return y + len(raw)


result(torch.compile(f, backend="eager")(torch.ones(3)))
