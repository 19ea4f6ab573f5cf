"""Dynamic shapes: automatic, marked, specialised, unbacked; runtime checks; a constraint that is violated."""

import torch

import truth

RUN = {}

backend = truth.counted("eager")


@torch.compile(backend=backend)
def automatic(x):
    return x * x.shape[0]


@torch.compile(backend=backend, dynamic=True)
def all_dynamic(x, y):
    return x @ y


@torch.compile(backend=backend)
def marked(x):
    return x.sum(1) + x.size(0)


@torch.compile(backend=backend, dynamic=True)
def specialised(x):
    if x.shape[0] == 6:
        return x + 1
    return x - 1


@torch.compile(backend=backend, dynamic=True)
def ranged(x):
    if x.shape[0] > 3 and x.shape[0] * 2 < 100:
        return x.sin()
    return x.cos()


@torch.compile(backend=backend)
def must_stay_dynamic(x):
    return x.reshape(5, 2)


@torch.compile(backend=backend, fullgraph=True)
def unbacked(x):
    n = x.sum().item()
    torch._check(n >= 2)
    torch._check(n <= 64)
    return torch.ones(n) * 2


@torch.compile(backend=backend, fullgraph=True)
def guards_on_data(x):
    n = x.sum().item()
    if n > 4:
        return x + 1
    return x


automatic(torch.ones(3)), automatic(torch.ones(4)), automatic(torch.ones(9))
all_dynamic(torch.ones(3, 4), torch.ones(4, 5))

batch = torch.ones(7, 2)
torch._dynamo.mark_dynamic(batch, 0)
marked(batch), marked(torch.ones(8, 2))

specialised(torch.ones(6)), specialised(torch.ones(7))
ranged(torch.ones(5))

stuck = torch.ones(10)
torch._dynamo.mark_dynamic(stuck, 0)
with truth.expected_error("forward"):
    must_stay_dynamic(stuck)

with torch._dynamo.config.patch(capture_scalar_outputs=True):
    unbacked(torch.tensor([2, 3]))
    with truth.expected_error("runtime"):
        unbacked(torch.tensor([0, 1]))
    with truth.expected_error("forward"):
        guards_on_data(torch.tensor([2, 3]))
