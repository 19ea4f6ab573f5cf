"""One function, one graph, one kernel; nothing is wrong with it.

Truth: 1 compile, no graph break, no recompile; every stage gives the same sum.
"""

import torch


@torch.compile
def f(x):
    return (torch.sin(x) + 1).sum()


print(f"sum {f(torch.arange(8.0)).item():.4f}")
