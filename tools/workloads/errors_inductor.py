"""Failures behind Dynamo: an Inductor lowering, a custom operator in a lazily compiled backward, a C++ compiler."""

import torch
from torch._inductor import config, lowering

import truth

RUN = {}


@torch.compile
def cannot_be_lowered(x):
    return torch.ops.shop.halve(x) + 1


@torch.compile
def fails_in_backward(x):
    return Tricky.apply(x).sum()


@torch.compile
def cannot_be_built(x):
    return x.sin() * 3


@torch.library.custom_op("shop::halve", mutates_args=())
def halve(x: torch.Tensor) -> torch.Tensor:
    return x / 2


@halve.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("shop::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@double.register_fake
def _(x):
    return torch.empty_like(x)


class Tricky(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x * 2

    @staticmethod
    def backward(context, gradient):
        return double(gradient)


def refuse(*_):
    raise RuntimeError("no lowering today")


lowering.lowerings[torch.ops.shop.halve.default] = refuse
with truth.expected_error("forward"):
    cannot_be_lowered(torch.ones(3))

lowering.lowerings[torch.ops.shop.double.default] = refuse
loss = fails_in_backward(torch.ones(3, requires_grad=True))
with truth.expected_error("backward"):
    loss.backward()

config.cpp.cxx = (None, "/no/such/compiler")
with truth.expected_error("forward"):
    cannot_be_built(torch.ones(3))
