# An assert on a tensor's value, whose message is made of values. It still raises after the fix.
# finding: break-branch
# versions: 2.9+
# inductor
import torch
from result import result


@torch.compile
def f(x):
    y = x.sin() * 2
    assert y.sum() > 0, f"sum {y.sum()}"  # HERE
    return y.cos()


result(f(torch.ones(4)))
try:
    result(f(-torch.ones(4)))
except (AssertionError, RuntimeError):
    print("it raises")
