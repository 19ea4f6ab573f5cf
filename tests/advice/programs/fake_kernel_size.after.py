import torch
from result import result

torch._dynamo.config.capture_dynamic_output_shape_ops = True


@torch.library.custom_op("shop::sold", mutates_args=())
def sold(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0].clone()


@sold.register_fake
def _(x):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


def total(x):
    return sold(x.sin()).sum()


torch.manual_seed(0)
compiled = torch.compile(total, backend="eager")
for _ in range(2):
    result(compiled(torch.randn(8)))
