"""Three functions that reach a recompile limit: one then runs eagerly, one has a limit of its own, one raises."""

import torch

import truth

RUN = {}

backend = truth.counted("eager")


@torch.compile(backend=backend, dynamic=False)
def runs_eagerly(x):
    return x.cumsum(0)


@torch.compile(backend=backend)
def for_every_scale(x, scale):
    return x * float(scale)


@torch.compile(backend=backend, dynamic=False, fullgraph=True)
def must_be_whole(x):
    return x.cumprod(0)


torch._dynamo.config.recompile_limit = 3
for rows in range(2, 8):
    runs_eagerly(torch.ones(rows))

with torch._dynamo.config.patch(accumulated_recompile_limit=2):
    for scale in ("1", "2", "3", "4"):
        for_every_scale(torch.ones(2), scale)

for rows in (2, 3, 4):
    must_be_whole(torch.ones(rows))
with truth.expected_error("forward"):
    must_be_whole(torch.ones(5))
