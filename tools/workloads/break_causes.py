"""More causes of graph breaks, one for each function: warnings, C functions, libraries, random numbers, in-place changes, locks."""

import copy
import random
import threading
import warnings
import zlib

import networkx
import numpy
import torch

import truth

RUN = {}

backend = truth.counted("eager")
lock = threading.Lock()
path = networkx.path_graph(3)
recurrent = torch.nn.LSTM(4, 4)

torch.library.define("shop::mystery", "(Tensor x) -> Tensor")


@torch.library.impl("shop::mystery", "CPU")
def mystery(x):
    return x + 1


def compiled(function):
    return torch.compile(function, backend=backend)


@compiled
def warns(x):
    y = x.sin()
    warnings.warn("mind the gap")
    return y.cos()


@compiled
def lists_numbers(x):
    return x.sin() * x.tolist()[0]


@compiled
def opens_a_file(x):
    y = x.sin()
    open("/dev/null").close()
    return y.cos()


@compiled
def calls_c(x):
    y = x.sin()
    return y * (zlib.crc32(b"abc") % 7)


@compiled
def calls_a_library(x):
    y = x.sin()
    return y * networkx.density(path)


@compiled
def draws(x):
    y = x.sin()
    return y * random.random()


@compiled
def draws_with_numpy(x):
    y = x.sin()
    return y * numpy.random.rand()


@compiled
def seeds(x):
    y = x.sin()
    torch.manual_seed(3)
    return y.cos()


@compiled
def counts_days(x):
    y = x.sin()
    return y * int(numpy.busday_count("2026-01-01", "2026-02-01"))


@compiled
def resizes(x):
    y = x.sin()
    x.resize_(8)
    return y.cos()


@compiled
def wants_gradients(x):
    y = x.sin()
    x.requires_grad_(True)
    return y + x


@compiled
def differentiates(x, w):
    y = x.sin()
    (w * 2).sum().backward()
    return y.cos()


@compiled
def locks(x):
    y = x.sin()
    with lock:
        y = y.cos()
    return y


@compiled
def raises(x):
    y = x.sin()
    if y.dim() == 1:
        raise ValueError("one dimension")
    return y


@compiled
def remembers(x):
    return recurrent(x.sin().reshape(1, 1, 4))[0]


@compiled
def sine_of_two(x):
    y = x.sin()
    return torch.sin(y, y, y)


def steps(x, seen):
    for i in range(3):
        seen.append(i)
        yield x + i


@compiled
def hands_out_a_generator(x):
    seen = []
    values = steps(x.sin(), seen)
    return next(values), values, seen


@compiled
def copies(x):
    return copy.deepcopy(x).sin()


@compiled
def is_mysterious(x):
    return torch.ops.shop.mystery(x.sin()).cos()


@compiled
def is_whole(x):
    return x.sin().cos() + torch.rand(())


warnings.simplefilter("ignore")
x = torch.arange(4.0) + 1
for function in (warns, lists_numbers, opens_a_file, calls_c, calls_a_library, draws, draws_with_numpy, seeds, counts_days,
                 locks, remembers, copies, hands_out_a_generator, is_mysterious,
                 is_whole):
    function(x)
resizes(x.clone())
wants_gradients(x.clone())
differentiates(x, torch.ones(4, requires_grad=True))
with truth.expected_error("runtime"):
    raises(x)
with truth.expected_error("runtime"):
    sine_of_two(x)
