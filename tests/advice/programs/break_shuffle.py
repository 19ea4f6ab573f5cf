# The break hands a list on that it has changed: that its numbers are compiled in as constants follows from it.
# versions: 2.13+
# finding: break-random
# not: specialization
import random

import torch
from result import result


@torch.compile(backend="eager")
def mix(parts):
    order = [0, 1, 2]
    y = parts[0].sin()
    random.shuffle(order)  # HERE
    for i in order:
        y = y * 0.5 + parts[i]
    return y


random.seed(0)
for _ in range(6):
    result(mix([torch.ones(3), torch.ones(3) * 2, torch.ones(3) * 3]))
