"""Settings and code that cost at run time: caches off, debugging on, fallbacks, changed inputs, CUDA graphs that are skipped."""

import torch
import torch._functorch.config
import torch._inductor.config

import truth

RUN = {"env": {"TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}}

torch._inductor.config.fallback_random = True
torch._inductor.config.nan_asserts = True
torch._inductor.config.cpp.enable_unsafe_math_opt_flag = True
torch._dynamo.config.suppress_errors = True


@torch.library.custom_op("shop::price", mutates_args=())
def price(x: torch.Tensor) -> torch.Tensor:
    return x.sort().values * 1.2


@price.register_fake
def _(x):
    return torch.empty_like(x)


library = torch.library.Library("shop", "FRAGMENT")
library.define("tax(Tensor x) -> Tensor")
library.impl("tax", lambda x: x * 0.2, "CompositeImplicitAutograd")
library.define("stock(Tensor x) -> Tensor")
library.impl("stock", lambda x: x + 1, "CPU")
library.impl("stock", lambda x: torch.empty_like(x), "Meta")


@torch.compile(options={"triton.cudagraphs": True})
def changes_input(x):
    x.add_(1)
    return x * 2


@torch.compile
def falls_back(x):
    return torch.ops.shop.price(x) + torch.ops.shop.stock(x) + torch.cumsum(torch.sort(x).values, 0)


@torch.compile
def low_precision(x):
    return torch.nn.functional.dropout(x, 0.5) * 2


changes_input(torch.ones(4))
falls_back(torch.ones(4))
low_precision(torch.ones(4, dtype=torch.bfloat16))
