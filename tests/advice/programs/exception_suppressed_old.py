# An exception is caught by contextlib.suppress, which 2.6 does not trace.
# finding: break-context-manager
# says: if key in d
# never-says: 2.7 and later do
# versions: 2.6
# also: skipped-frame recompile-length
import contextlib

import torch
from result import result


def total_of(basket):
    total = basket["goods"].sum()
    with contextlib.suppress(KeyError):  # HERE
        total = total - basket["coupon"]
    return total


total = torch.compile(total_of, backend="eager")
result(total({"goods": torch.arange(3.0)}))
