import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    return x.sin() * 2


parts = f(torch.nested.nested_tensor([torch.ones(2, 3), torch.zeros(3, 3)], layout=torch.jagged)).unbind()
result(*parts)
