# .item() breaks the graph, and what follows is compiled again for each value: that is a consequence, not a cause.
# finding: break-item
# also: recompile-float
import torch
from result import result

torch._dynamo.config.capture_scalar_outputs = True


@torch.compile(backend="eager")
def f(x):
    n = x.sum().item()
    return x * n


for i in range(4):
    result(f(torch.ones(4) * i))
