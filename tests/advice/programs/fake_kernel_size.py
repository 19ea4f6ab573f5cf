# The fake kernel makes a new size for a custom operator, whose size depends on data: only the setting is missing.
# finding: break-data-shape
# never-says: Call it outside|a newer PyTorch|inside `torch._library
# versions: 2.6+
import torch
from result import result


@torch.library.custom_op("shop::sold", mutates_args=())
def sold(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0].clone()


@sold.register_fake
def _(x):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


def total(x):
    return sold(x.sin()).sum()  # HERE


torch.manual_seed(0)
compiled = torch.compile(total, backend="eager")
for _ in range(2):
    result(compiled(torch.randn(8)))
