# A module is made at every call.
# finding: break-module
# severity: medium
# also: skipped-frame
# versions: 2.13+
import torch
from result import result


def f(x):
    y = x.sin()
    scale = torch.nn.Parameter(torch.ones(3))  # HERE
    return y * scale


result(torch.compile(f, backend="eager")(torch.ones(3)))
