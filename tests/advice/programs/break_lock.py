# A lock is held in the middle of a function.
# finding: break-context-manager
# severity: critical
# also: skipped-frame
import threading

import torch
from result import result

lock = threading.Lock()
calls = [0]


def f(x):
    y = x.sin()
    with lock:  # HERE
        calls[0] += 1
    return y.cos()


result(torch.compile(f, backend="eager")(torch.ones(3)), calls[0])
