"""Graph breaks of three kinds, in one function. No kernel is built: the backend is eager.

Truth: 3 distinct graph breaks: print in line 15, .item() in line 17, and the branch on a value of a tensor in line 18, which
stand in f; 4 compiles (f and what comes behind each break). With --disable breaks.shout the first one names torch._dynamo.disable;
with --fullgraph the program ends with Unsupported at line 15.
"""

import torch


@torch.compile(backend="eager")
def f(x):
    x = x + 1
    shout("one")
    x = x * 2
    n = x.sum().item()
    if x.mean() > n:
        return x
    return x - n


def shout(word):
    print(word)


print(f"sum {f(torch.arange(8.0)).sum().item():.4f}")
