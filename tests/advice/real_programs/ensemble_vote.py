# Five models of one class, compiled each, vote.
# True cause: they share the code of `forward`: one compile for each.
# versions: 2.13+
# long
# finding: recompile-many-modules|recompile-module-attribute
# says: isolate_recompiles
import torch
from result import result
from torch import nn


class Member(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body, self.head = nn.Linear(6, width), nn.Linear(width, 3)

    def forward(self, x):
        return self.head(self.body(x).relu())


torch.manual_seed(0)
members = [torch.compile(Member(8 * (i + 1)).eval(), backend="eager") for i in range(5)]
with torch.no_grad():
    for _ in range(2):
        x = torch.randn(4, 6)
        result(sum(member(x).softmax(-1) for member in members))
