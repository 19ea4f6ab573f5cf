# A detection head keeps the boxes above a score, and then scales them.
# True cause: indexing with a mask: the size of the result depends on data, so the graph breaks there. That later code is
# compiled again when the number of boxes changes follows from it.
# versions: 2.13+
# finding: break-data-shape
# also: break-data-shape
import torch
from result import result
from torch import nn


class Head(nn.Module):
    def __init__(self, channels=8, classes=3):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.scores, self.boxes = nn.Conv2d(channels, classes, 1), nn.Conv2d(channels, 4, 1)

    def forward(self, features):
        x = self.conv(features).relu()
        scores = self.scores(x).sigmoid().flatten(2).transpose(1, 2)[0]
        boxes = self.boxes(x).flatten(2).transpose(1, 2)[0]
        best, label = scores.max(-1)
        keep = best > 0.55
        boxes = boxes[keep]  # HERE
        return boxes * 32 + 16, label[keep]


torch.manual_seed(0)
head = torch.compile(Head().eval(), backend="eager")
with torch.no_grad():
    for _ in range(4):
        boxes, labels = head(torch.randn(1, 8, 6, 6))
        result(boxes.sum(), labels)
