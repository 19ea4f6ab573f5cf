"""Recompiles because a Python value changed: int, float, string, None, global, dict keys, list length, closure, attribute."""

import torch

import truth

RUN = {}

backend = truth.counted("eager")
scale = 2.0


@torch.compile(backend=backend)
def whole_number(x, n):
    return x + n


@torch.compile(backend=backend)
def fraction(x, p):
    return x * p


@torch.compile(backend=backend)
def string(x, how):
    return x.relu() if how == "relu" else x.tanh()


@torch.compile(backend=backend)
def maybe_none(x, bias):
    return x + 1 if bias is None else x + bias


@torch.compile(backend=backend)
def global_value(x):
    return x * scale


@torch.compile(backend=backend)
def keys(x, options):
    return x + sum(options.values())


@torch.compile(backend=backend)
def length(xs):
    return sum(xs)


def closure(power):
    def raise_to(x):
        return x**power

    return raise_to


class Dropper(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = 3

    def forward(self, x):
        return torch.nn.functional.dropout(x, 0.5, self.training) * self.gain


x = torch.ones(4, 3)
whole_number(x, 3), whole_number(x, 4), whole_number(x, 5)
fraction(x, 0.5), fraction(x, 0.75)
string(x, "relu"), string(x, "tanh")
maybe_none(x, None), maybe_none(x, x)
global_value(x)
scale = 4.0
global_value(x)
keys(x, {"a": 1}), keys(x, {"a": 1, "b": 2})
length([x]), length([x, x])
for raise_to in [torch.compile(closure(power), backend=backend) for power in (2, 3)]:
    raise_to(x)

module = Dropper()
compiled = torch.compile(module, backend=backend)
compiled(x)
compiled.eval()
compiled(x)
module.gain = 5
compiled(x)
