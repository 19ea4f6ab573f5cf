"""A process compiles, forks, and the child compiles too: its file uses string ids that only its parent's file defines."""

import os

import torch

import truth

RUN = {}


@torch.compile(backend="eager")
def shared(x):
    return x + 1


@torch.compile(backend="eager")
def in_child(x):
    y = x * 2
    print("in the child")
    return y.relu()


shared(torch.ones(2))
child = os.fork()
if child == 0:
    shared(torch.ones(3))
    in_child(torch.ones(2))
    truth.flush()
    os._exit(0)
os.waitpid(child, 0)
shared(torch.ones(2, 2))
