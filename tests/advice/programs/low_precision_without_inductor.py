# In bfloat16, but no kernel is fused: the backend runs the operators as eager mode does.
# clean
# not: low-precision
# versions: 2.7+
import torch
from result import result


@torch.compile(backend="aot_eager")
def f(x, y):
    return (x * y + x) * y


torch.manual_seed(0)
x, y = torch.randn(2, 64).bfloat16()
result(f(x, y))
