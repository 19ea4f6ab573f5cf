# An operator without a fake kernel, with more arguments than a tensor.
# finding: missing-fake-kernel
import torch
from result import result


lib = torch.library.Library("shop", "DEF")
lib.define("tax(Tensor x, int n, *, float rate) -> Tensor")
lib.impl("tax", lambda x, n, rate: x * n * rate, "CPU")


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    return torch.ops.shop.tax(y, 3, rate=0.5).cos()  # HERE


result(f(torch.ones(4)))
