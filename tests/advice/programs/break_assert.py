# An assert on a tensor's value, whose message is made of values.
# finding: break-branch
# versions: 2.6+
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    assert y.sum() > 0, f"sum {y.sum()}"  # HERE
    return y.cos()


result(f(torch.ones(4)))
