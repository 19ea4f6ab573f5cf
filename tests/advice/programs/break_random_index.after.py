import random

import torch
from result import result


random.seed(1)


@torch.compile(backend="eager", dynamic=True)
def crop(image, i):
    part = image[:, i:i + 8]
    return part.mean() * 2


for _ in range(3):
    result(crop(torch.arange(256.0).reshape(16, 16), random.randint(0, 4)))
