# Before 2.9 Inductor drops asserts that are in the graph: the condition is returned.
# finding: break-branch
# versions: 2.6-2.8
# says: after the call
# never-says: _assert_async
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
