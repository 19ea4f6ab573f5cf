import torch
from result import result


@torch.library.custom_op("shop::price", mutates_args=())
def price(x: torch.Tensor) -> torch.Tensor:
    return x * 3


@torch.library.register_fake("shop::price")
def _(x):
    return torch.empty_like(x)


torch.library.opcheck(torch.ops.shop.price.default, (torch.ones(4),))


@torch.compile(backend="eager")
def f(x):
    return torch.ops.shop.price(x) + 1


result(f(torch.ones(4)))
