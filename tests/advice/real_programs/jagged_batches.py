# Sentences of different lengths in a nested tensor (layout jagged). Nothing is wrong: such tensors are dynamic by themselves.
# versions: 2.13+
# long
# clean
import torch
from result import result
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x):
        return self.down(self.up(x).relu())


torch.manual_seed(0)
model = torch.compile(Encoder().eval(), backend="eager")
with torch.no_grad():
    for lengths in ((3, 5, 2), (4, 4, 6), (7, 2, 3), (5, 6, 8)):
        batch = torch.nested.nested_tensor([torch.randn(n, 8) for n in lengths], layout=torch.jagged)
        result(model(batch).values())
