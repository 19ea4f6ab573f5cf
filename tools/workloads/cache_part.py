"""The same program twice with one cache folder, and in between one of its functions is changed: most graphs are found."""

import os
import pathlib

import torch

RUN = {"runs": ["cache_part_first", "cache_part_second"]}

marker = pathlib.Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]) / "was_here"
again = marker.exists()
marker.touch()


@torch.compile
def first(x):
    return x.sin() + 1


@torch.compile
def second(x):
    return x.cos() + 2


@torch.compile
def third(x):
    return x.exp() + 3


@torch.compile
def changed(x):
    return x.tanh() * 2 if again else x.tanh() * 3


x = torch.ones(8)
for function in (first, second, third, changed):
    function(x)
