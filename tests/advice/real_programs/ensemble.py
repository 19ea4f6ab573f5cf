# An ensemble: twelve models of one class, each of another width, each compiled by itself.
# True cause: torch.compile keeps the code of one function together, so that all twelve count against one limit: from the ninth on
# they run eagerly. isolate_recompiles=True (2.12 and later) keeps them apart.
# versions: 2.13+
# finding: recompile-limit
# severity: critical
# says: isolate_recompiles
# also: recompile-parameter
import torch
from result import result
from torch import nn


class Member(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.enter, self.leave = nn.Linear(8, width), nn.Linear(width, 1)

    def forward(self, x):
        return self.leave(self.enter(x).relu())


torch.manual_seed(0)
members = [torch.compile(Member(8 + i), backend="eager") for i in range(12)]
x = torch.randn(5, 8)
with torch.no_grad():
    result(torch.stack([member(x) for member in members]).mean(0))
