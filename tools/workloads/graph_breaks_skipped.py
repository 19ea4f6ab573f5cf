"""Graph breaks after which Dynamo gives the whole function up: loops, try blocks, context managers, generators, a backend."""

import inspect

import torch
from torch._subclasses.fake_tensor import UnsupportedOperatorException

import truth

RUN = {}

backend = truth.counted("eager")


@torch.compile(backend=backend)
def loops(x):
    for step in range(3):
        x = x + step
        print("step", step)
    return x


@torch.compile(backend=backend)
def tries(x):
    try:
        y = x + 1
        print("inside try")
        return y * 2
    finally:
        x.add_(1)


@torch.compile(backend=backend)
def looks_at_itself(x):
    frame = inspect.currentframe()
    return x + (frame is not None)


@torch.compile(backend=backend)
def opens_a_file(x):
    with open(__file__, encoding="utf-8") as file:
        length = len(file.readline())
    return x + length


@torch.compile(backend=backend)
def nothing_but_a_print(x):
    print("no operation before or after")
    return x


@torch.compile(backend=backend)
def generator(x):
    yield x + 1
    yield x + 2


def picky_backend(graph, inputs):
    """This exception is one of those for which Dynamo falls back to eager without an error."""
    raise UnsupportedOperatorException(torch.ops.aten.sin.default)


@torch.compile(backend=picky_backend)
def refused_by_the_backend(x):
    return x.sin() + 1


x = torch.arange(4.0)
for function in (loops, tries, looks_at_itself, opens_a_file, nothing_but_a_print, refused_by_the_backend):
    function(x)
list(generator(x))
