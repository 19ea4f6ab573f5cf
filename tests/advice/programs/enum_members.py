# What is done depends on a member of an enum.
# finding: recompile-identity
# severity: low
import enum
import torch
from result import result


class Mode(enum.Enum):
    ADD = 1
    DOUBLE = 2


class Does(torch.nn.Module):
    def forward(self, x, mode):
        return x + 1 if mode is Mode.ADD else x * 2


model = torch.compile(Does(), backend="eager")
for mode in Mode:
    result(model(torch.ones(3), mode))  # HERE
