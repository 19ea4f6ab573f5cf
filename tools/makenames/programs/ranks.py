"""Two ranks under torchrun; the one that has compiled first fails, and both are started again. Then nothing is in a cache."""

import os

import torch

RUN = {"ranks": 2, "restarts": 1}

restarts = int(os.environ["TORCHELASTIC_RESTART_COUNT"])


@torch.compile
def wave(x):
    return torch.sin(x) * 2


wave(torch.ones(4 + restarts))
if restarts == 0:
    raise SystemExit(1)
