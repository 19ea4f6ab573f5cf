"""Graph breaks of the common kinds, each in a function of its own; one is called on both of its branches."""

import logging

import torch
from shop import prices

import truth

RUN = {}

log = logging.getLogger("shop")
backend = truth.counted("eager")


@torch.compile(backend=backend)
def says_hello(x):
    y = x + 1
    print("hello")
    return y * 2


@torch.compile(backend=backend)
def logs_twice(x):
    y = x + 1
    log.warning("first")
    y = y * 2
    log.warning("second")
    return y.sin()


@torch.compile(backend=backend)
def branches_on_data(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


@torch.compile(backend=backend)
def reads_a_number(x):
    total = x.sum().item()
    return x * total


@torch.compile(backend=backend)
def breaks_on_purpose(x):
    y = x.cos()
    torch._dynamo.graph_break()
    return y.sin()


@torch.compile(backend=backend)
def calls_disabled(x):
    y = x + 1
    prices.receipt(y)
    return y + 2


@torch.compile(backend=backend)
def under_no_grad(x):
    with torch.no_grad():
        y = x + 1
        torch._dynamo.graph_break()
        y = y * 2
    return y


@torch.compile(backend=backend)
def counts_sizes(x):
    return torch.nonzero(x).sum() + 1


log.setLevel(logging.ERROR)
x = torch.arange(4.0)
for function in (says_hello, logs_twice, branches_on_data, reads_a_number, breaks_on_purpose, calls_disabled,
                 under_no_grad, counts_sizes):
    function(x)
branches_on_data(-x)
