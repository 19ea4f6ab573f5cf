import torch
from result import result


def f(x, n):
    y = x.sin()
    for i in range(8):
        y = y + torch.where(i < n, i, 0)
    return y


compiled = torch.compile(f, backend="eager")
result(compiled(torch.ones(3), torch.tensor(3)), compiled(torch.ones(3), torch.tensor(5)))
