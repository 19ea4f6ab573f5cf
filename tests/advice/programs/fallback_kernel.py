# Operators without a lowering run outside of the generated kernels.
# inductor
# long
# finding: fallback-kernel
# severity: info
import torch
from result import result


@torch.library.custom_op("shop::price", mutates_args=())
def price(x: torch.Tensor) -> torch.Tensor:
    return x * 3


@price.register_fake
def _(x):
    return torch.empty_like(x)


@torch.compile
def f(x):
    return price(x) * 2 + 1


result(f(torch.ones(64)))
