# The compiled function calls one that prints, in a loop. Before 2.8 Dynamo fails if it is to delay a print below.
# versions: 2.6
# finding: break-print
# also: skipped-frame recompile-int
# severity: critical
# output: differs
# never-says: reorderable_logging
import torch
from result import result


def report(step, x):
    print("step", step, x.norm())  # HERE


@torch.compile(backend="eager")
def solve(a, b):
    x = torch.zeros_like(b)
    for step in range(3):
        x = x - 0.1 * (a @ x - b)
        report(step, x)
    return x


torch.manual_seed(0)
result(solve(torch.eye(4) * 2, torch.randn(4)))
