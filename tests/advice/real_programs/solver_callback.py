# A solver calls a callback given by the user after each iteration; the callback prints.
# True cause: print of a tensor in the callback, reached from the compiled solver.
# finding: break-print
# also: recompile-function recompile-identity break-print
# versions: 2.6+
# also (2.6): skipped-frame recompile-int
# output: differs
import torch
from result import result


def report(step, x):
    print("step", step, x.norm())  # HERE


@torch.compile(backend="eager")
def solve(a, b, callback):
    x = torch.zeros_like(b)
    for step in range(3):
        x = x - 0.1 * (a @ x - b)
        callback(step, x)
    return x


torch.manual_seed(0)
result(solve(torch.eye(4) * 2, torch.randn(4), report))
