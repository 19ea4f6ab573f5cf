"""Graphs that are not worth compiling: a function in pieces, empty graphs, functions left to Python; and one graph four times."""

import torch

import truth

RUN = {}

backend = truth.counted("eager")


def compiled(function):
    return torch.compile(function, backend=backend)


@compiled
def in_pieces(x):
    x = x + 1
    torch._dynamo.graph_break()
    x = x * 2
    torch._dynamo.graph_break()
    x = x - 3
    torch._dynamo.graph_break()
    x = x / 4
    torch._dynamo.graph_break()
    x = x.sin()
    torch._dynamo.graph_break()
    x = x.cos()
    torch._dynamo.graph_break()
    x = x.exp()
    torch._dynamo.graph_break()
    x = x.tanh()
    torch._dynamo.graph_break()
    return x.abs()


@compiled
def no_tensors(names):
    return sorted(names)


@compiled
def given_up(x):
    for _ in range(2):
        x = x.sin()
        torch._dynamo.graph_break()
    return x


@compiled
def first(x, w):
    return (torch.relu(x @ w) + x).softmax(-1).sum(-1)


@compiled
def second(x, w):
    return (torch.relu(x @ w) + x).softmax(-1).sum(-1)


@compiled
def third(x, w):
    return (torch.relu(x @ w) + x).softmax(-1).sum(-1)


@compiled
def fourth(x, w):
    return (torch.relu(x @ w) + x).softmax(-1).sum(-1)


@compiled
def another(x, w):
    return (torch.tanh(x @ w) + x).softmax(-1).sum(-1)


x = torch.ones(4, 4)
in_pieces(x)
no_tensors(["b", "a"])
given_up(x)
for function in (first, second, third, fourth, another):
    function(x, x)
