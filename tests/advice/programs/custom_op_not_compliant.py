# A custom operator is defined without the tag that says it follows the rules.
# finding: custom-op-not-compliant
# severity: low
import torch
from result import result

library = torch.library.Library("shop", "DEF")
library.define("price(Tensor x) -> Tensor")
library.impl("price", lambda x: x * 3, "CPU")
library.impl("price", lambda x: torch.empty_like(x), "Meta")


@torch.compile(backend="eager")
def f(x):
    return torch.ops.shop.price(x) + 1


result(f(torch.ones(4)))
