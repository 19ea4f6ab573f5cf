import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    if not torch.compiler.is_compiling():
        print("mean", y.mean(), f"of {y.shape}")
    return y.cos() + 1


result(f(torch.ones(4)), f(torch.zeros(4)))
