import torch
from result import result


torch._dynamo.config.reorderable_logging_functions.add(print)


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    print(f"{y.shape}")
    return y.cos() + 1


result(f(torch.ones(4)))
