import torch
from result import result


def f(x):
    return x * 2


compiled = torch.compile(f, backend=lambda graph, inputs: graph.forward)
for _ in range(3):
    result(compiled(torch.ones(3)))
