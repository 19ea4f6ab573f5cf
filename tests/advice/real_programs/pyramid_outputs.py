# A feature pyramid whose outputs are named tuples, at image sizes that change from batch to batch.
# True cause: height and width of `images`.
# versions: 2.13+
# long
# finding: recompile-size
# says: images
from typing import NamedTuple

import torch
from result import result
from torch import nn


class Features(NamedTuple):
    fine: torch.Tensor
    coarse: torch.Tensor


class Pyramid(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.down, self.side = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 8, 3, stride=2, padding=1), nn.Conv2d(8, 8, 1)

    def forward(self, images):
        fine = self.stem(images).relu()
        coarse = self.down(fine).relu()
        up = nn.functional.interpolate(self.side(coarse), size=fine.shape[-2:], mode="nearest")
        return Features(fine + up, coarse)


torch.manual_seed(0)
pyramid = torch.compile(Pyramid().eval(), backend="eager")
with torch.no_grad():
    for height, width in ((16, 24), (20, 24), (20, 32), (28, 16)):
        features = pyramid(torch.randn(2, 3, height, width))
        result(features.fine.sum(), features.coarse.sum())
