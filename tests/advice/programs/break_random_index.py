# Python's random numbers as sizes and indices: the line with the slice is met first.
# finding: break-random
# severity: critical
# also: skipped-frame
# versions: 2.13+
import random

import torch
from result import result


random.seed(1)


@torch.compile(backend="eager")
def crop(image):
    i = random.randint(0, 4)
    part = image[:, i:i + 8]  # HERE
    return part.mean() * 2


for _ in range(3):
    result(crop(torch.arange(256.0).reshape(16, 16)))
