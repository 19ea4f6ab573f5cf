# A break that fullgraph=True makes an error has the same remedy.
# finding: error
# severity: high
# says: `Logger.info\(…\)`
# fails: Logger
# versions: 2.13+
import logging

import torch
from result import result

log = logging.getLogger("shop")


def f(x):
    y = x.sin()
    log.info("half way")  # HERE
    return y.cos()


result(torch.compile(f, backend="eager", fullgraph=True)(torch.ones(3)))
