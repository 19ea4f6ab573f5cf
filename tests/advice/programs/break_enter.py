# A context manager is entered by a call of its method.
# finding: break-context-manager
# severity: medium
# also: skipped-frame
# says: Use a `with` statement
import torch
from result import result


def f(x):
    y = x.sin()
    mode = torch.no_grad()
    mode.__enter__()  # HERE
    z = y.cos()
    mode.__exit__(None, None, None)  # HERE
    return z * 2


result(torch.compile(f, backend="eager")(torch.ones(3)))
