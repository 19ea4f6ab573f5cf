import torch
from result import result

torch._dynamo.config.capture_scalar_outputs = True


@torch.compile(backend="eager", fullgraph=True)
def f(x):
    n = (x > 0).sum().item()
    torch._check(n > 4)
    if n > 4:
        return x * 2
    return x


result(f(torch.ones(8)))
