# Compiled code appends to a list of its caller at each call, until the limit: a higher limit would be reached as well.
# tolerance: 1e-5
# versions: 2.13+
# finding: recompile-limit
# says: A higher limit does not help
# never-says: raise the limit
import torch
from result import result


def attend(x, past):
    past.append(x.sin())  # HERE
    return torch.stack(past).sum(0)


@torch.compile(backend="eager")
def step(x, caches):
    for past in caches:
        x = attend(x, past)
    return x


caches = [[], []]
for n in range(10):
    result(step(torch.ones(3) * n, caches))
