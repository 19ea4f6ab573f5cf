# The compiled function calls one that prints, in a loop: Dynamo gives it up, which 2.5 and earlier do not record.
# versions: 2.4-2.5
# alone
# finding: empty-graph
# also: break-print break-print recompile-int
# severity: medium
# shows: Skipping frame because there is a graph break in a for/while loop
import torch
from result import result


def report(step, x):
    print("step", step, x.norm())


@torch.compile(backend="eager")  # HERE
def solve(a, b):
    x = torch.zeros_like(b)
    for step in range(3):
        x = x - 0.1 * (a @ x - b)
        report(step, x)
    return x


torch.manual_seed(0)
result(solve(torch.eye(4) * 2, torch.randn(4)))
