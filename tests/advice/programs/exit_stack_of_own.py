# An ExitStack enters a context of the program's own, whose clock is what stops the graph.
# finding: break-c-function
# also: skipped-frame
# never-says: ExitStack
# versions: 2.7+
import contextlib
import time

import torch
from result import result


class Till:
    def __enter__(self):
        self.opened = time.time()  # HERE
        return self

    def __exit__(self, *error):
        return False


def f(x):
    y = x.sin()
    with contextlib.ExitStack() as stack:
        stack.enter_context(Till())
        y = y * 2
    return y.cos()


result(torch.compile(f, backend="eager")(torch.ones(3)))
