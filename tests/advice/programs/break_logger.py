# Several methods of loggers: one cause, a line for each method.
# finding: break-print
# not: tiny-graphs
# versions: 2.6+
import logging

import torch
from result import result


log = logging.getLogger("shop")


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    log.info("shape %s", y.shape)  # HERE
    y = y.cos()
    log.warning("again")  # HERE
    if log.isEnabledFor(logging.DEBUG):  # HERE
        y = y + 0
    return y + 1


result(f(torch.ones(4)), f(torch.zeros(4)))
