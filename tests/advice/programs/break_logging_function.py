# logging.info() is a function of Python's library: the break is inside of that.
# finding: break-print
# versions: 2.13+
import logging

import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    logging.info("shape %s", y.shape)  # HERE
    return y.cos() + 1


result(f(torch.ones(4)), f(torch.zeros(4)))
