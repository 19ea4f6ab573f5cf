"""fullgraph=True, and a call that Dynamo does not trace.

Truth: torch._dynamo.exc.Unsupported (a graph break with fullgraph=True), in line 14. Only without torch.compile it works.
"""

import time

import torch


@torch.compile(backend="eager", fullgraph=True)
def f(x):
    x = x + 1
    print(time.time())
    return x * 2


print(f"sum {f(torch.arange(8.0)).sum().item():.4f}")
