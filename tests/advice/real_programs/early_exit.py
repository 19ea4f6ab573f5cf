# A classifier that stops after a layer when it is sure.
# True cause: the branch on a tensor's value; the compiler cannot know which way it goes.
# versions: 2.13+
# finding: break-branch
import torch
from result import result
from torch import nn


class EarlyExit(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(6, 12), nn.Linear(12, 12)
        self.head_1, self.head_2 = nn.Linear(12, 3), nn.Linear(12, 3)

    def forward(self, x):
        h = self.first(x).relu()
        early = self.head_1(h).softmax(-1)
        if early.max() > 0.6:  # HERE
            return early
        return self.head_2(self.second(h).relu()).softmax(-1)


torch.manual_seed(0)
model = torch.compile(EarlyExit().eval(), backend="eager")
with torch.no_grad():
    for scale in (0.1, 3.0, 0.2, 5.0):
        result(model(torch.randn(1, 6) * scale))
