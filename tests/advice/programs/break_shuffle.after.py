# The order is drawn before the call, as a tensor.
import random

import torch
from result import result


@torch.compile(backend="eager")
def mix(parts, order):
    y = parts[0].sin()
    stacked = torch.stack(parts)
    for i in range(3):
        y = y * 0.5 + stacked.index_select(0, order[i:i + 1])[0]
    return y


random.seed(0)
for _ in range(6):
    order = [0, 1, 2]
    random.shuffle(order)
    result(mix([torch.ones(3), torch.ones(3) * 2, torch.ones(3) * 3], torch.tensor(order)))
