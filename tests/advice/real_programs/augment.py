# Image augmentation on tensors: a flip that Python's random module decides about.
# True cause: random.random() in the compiled function.
# versions: 2.13+
# long
# finding: break-random
import random

import torch
from result import result
from torch import nn


class Augment(nn.Module):
    def forward(self, images):
        images = images - images.mean((2, 3), keepdim=True)
        if random.random() < 0.5:  # HERE
            images = images.flip(-1)
        gain = 1 + 0.1 * torch.randn(images.shape[0], 1, 1, 1)
        return images * gain


torch.manual_seed(0)
random.seed(0)
augment = torch.compile(Augment(), backend="eager")
for _ in range(4):
    result(augment(torch.randn(2, 3, 8, 8)).sum())
