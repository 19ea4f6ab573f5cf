# A branch on a random number of Python: passed in as a tensor, the number would be branched on as well.
# versions: 2.6+
# finding: break-random
# says: neither is a branch on a number that is passed as a tensor
import random

import torch
from result import result

random.seed(3)


@torch.compile(backend="eager")
def act(x):
    y = x.sin() * 2
    if random.random() < 0.5:  # HERE
        return y + 1
    return y.cos()


for _ in range(4):
    result(act(torch.ones(4)))
