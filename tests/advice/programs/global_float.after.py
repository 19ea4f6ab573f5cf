import torch
from result import result

SCALE = torch.tensor(0.5)


def f(x):
    return x * SCALE


compiled = torch.compile(f, backend="eager")
for i in range(4):
    result(compiled(torch.ones(3)))
    SCALE = SCALE + 1
