import torch
from result import result


def report(step, x):
    if not torch.compiler.is_compiling():
        print("step", step, x.norm())


@torch.compile(backend="eager")
def solve(a, b):
    x = torch.zeros_like(b)
    for step in range(3):
        x = x - 0.1 * (a @ x - b)
        report(step, x)
    return x


torch.manual_seed(0)
result(solve(torch.eye(4) * 2, torch.randn(4)))
