"""Never ends: between two graphs, in a function that Dynamo leaves alone.

Truth: 1 compile (f up to the call), then `wait` sleeps. Under --time-limit or Ctrl-C, the stack has wait, called by f.
"""

import time

import torch


@torch._dynamo.disable
def wait():
    print("waiting", flush=True)
    time.sleep(3600)


@torch.compile(backend="eager")
def f(x):
    x = x + 1
    wait()
    return x * 2


f(torch.ones(4))
