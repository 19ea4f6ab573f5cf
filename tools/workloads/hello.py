"""One function through Inductor: the smallest whole trace."""

import torch

RUN = {}


@torch.compile
def wave(x):
    return torch.sin(x) * 2 + x


wave(torch.ones(4, 4))
