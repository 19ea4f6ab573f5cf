"""More causes of recompiles, one for each function: sizes, parameters, devices, functions, types, autocast, aliases, backends."""

import torch
from torch import nn

import truth

RUN = {}

backend = truth.counted("eager")


class Adder:
    def apply(self, x):
        return x + 1


class Doubler:
    def apply(self, x):
        return x * 2


def compiled(function):
    return torch.compile(function, backend=backend)


@compiled
def small_size(x):
    return x + 2


@compiled
def parameter(x, w):
    return x @ w


@compiled
def device(x):
    return x - 1


@compiled
def inference(x):
    return x.cos()


@compiled
def given_function(x, f):
    return f(x)


@compiled
def given_type(x, thing):
    return thing.apply(x)


@compiled
def precision(x):
    return x @ x.t()


@compiled
def same_tensor(x, y):
    return x + y


@compiled
def attribute(x, thing):
    return x * 2 if hasattr(thing, "scale") else x


@compiled
def marked(x):
    return x * 3


def many_backends(x):
    return x * 5


@compiled
def given_class(x, kind):
    return kind.apply(None, x)


@compiled
def conjugated(x):
    return x - 4


@compiled
def twice_as_wide(x):
    return x + 1 if x.shape[0] * 2 == x.shape[1] else x - 1


@compiled
def number_as_tensor(x, n):
    return x + n


def power_of(n):
    def raise_to(x):
        return x**n

    return raise_to


def decay():
    weight = torch.ones(3, requires_grad=True)
    weight.grad = torch.ones(3)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    step = compiled(optimizer.step)
    for _ in range(2):
        step()
        schedule.step()


x = torch.ones(4, 3)
small_size(x), small_size(torch.ones(1, 3))
for columns in (2, 4):
    parameter(x, nn.Parameter(torch.ones(3, columns)))
device(x), device(x.to("meta"))
inference(x)
with torch.inference_mode():
    y = torch.ones(4, 3)
inference(y)
for n in (2, 3):
    given_function(x, power_of(n))
given_function(x, lambda x: x + 1)
given_type(x, Adder()), given_type(x, Doubler())
precision(x)
with torch.autocast("cpu", torch.bfloat16):
    precision(x)
same_tensor(x, x), same_tensor(x, torch.ones(4, 3))
with_scale = Adder()
with_scale.scale = 3
attribute(x, with_scale), attribute(x, Adder())
z = torch.ones(8, 3)
torch._dynamo.mark_dynamic(z, 0)
marked(torch.ones(8, 3)), marked(z)
for _ in range(2):
    torch.compile(many_backends, backend=lambda graph, inputs: graph.forward)(x)
given_class(x, Adder), given_class(x, Doubler)
wave = x.to(torch.complex64)
conjugated(wave), conjugated(wave.conj())
for rows, columns in ((4, 8), (5, 10), (5, 11)):
    twice_as_wide(torch.ones(rows, columns))
for n in (2, 3):
    number_as_tensor(x, torch.tensor(n))
decay(), decay()
