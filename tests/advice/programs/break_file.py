# A file is read in the middle of a function.
# finding: break-builtin
# severity: medium
# also: skipped-frame
# says: open
import torch
from result import result


def f(x):
    y = x.sin()
    with open(__file__, encoding="utf-8") as file:  # HERE
        n = len(file.read()) > 0
    return y * n


result(torch.compile(f, backend="eager")(torch.ones(3)))
