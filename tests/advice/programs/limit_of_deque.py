# Compiled code appends to a deque until the limit. A higher limit would be enough, but what is compiled for a full deque is wrong.
# versions: 2.13+
# finding: recompile-limit
# says: A higher limit does not help
# never-says: raise the limit
# tolerance: 1e-6
import collections

import torch
from result import result

last = collections.deque(maxlen=20)


@torch.compile(backend="eager")
def sell(x):
    last.append(x + 1)  # HERE
    return torch.stack(tuple(last)).sum()


for day in range(12):
    result(sell(torch.ones(2) * day))
