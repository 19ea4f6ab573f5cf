# Text, image and sound are fused; which of them there are differs from sample to sample.
# True cause: how many inputs are passed: 1, 2 or 3.
# versions: 2.13+
# long
# finding: recompile-length
# says: inputs
import torch
from result import result
from torch import nn


class Fusion(nn.Module):
    def __init__(self):
        super().__init__()
        self.project, self.attend, self.head = nn.Linear(8, 16), nn.Linear(16, 1), nn.Linear(16, 3)

    def forward(self, *inputs):
        parts = torch.stack([self.project(x) for x in inputs], 1)
        weight = self.attend(parts.tanh()).softmax(1)
        return self.head((weight * parts).sum(1))


torch.manual_seed(0)
model = torch.compile(Fusion().eval(), backend="eager")
with torch.no_grad():
    for count in (3, 2, 3, 1, 2):
        result(model(*torch.randn(count, 4, 8)))
