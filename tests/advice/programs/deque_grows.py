# The compiled code keeps the last values in a deque, which is full in the end: one recompile for each length until then.
# finding: recompile-length
# says: until it is full
# never-says: each call that adds to it is one more compile
# tolerance: 1e-6
# versions: 2.13+
import collections

import torch
from result import result


class Till(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.last = collections.deque(maxlen=4)

    def forward(self, x):
        self.last.append(x * 2)  # HERE
        return torch.stack(tuple(self.last)).sum(0)


till = torch.compile(Till(), backend="eager")
for day in range(4):
    result(till(torch.ones(3) * day))
