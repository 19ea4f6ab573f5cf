# A loss with a custom operator in C++ style, defined with torch.library.custom_op and without a fake kernel.
# True cause: the operator has no fake kernel, so that the compiler does not know its result.
# versions: 2.13+
# finding: missing-fake-kernel
# fails: fake
import torch
from result import result
from torch import nn


@torch.library.custom_op("geometry::chamfer", mutates_args=())
def chamfer(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.cdist(a, b).min(1).values


class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(3, 3)

    def forward(self, points, target):
        moved = self.project(points)
        return chamfer(moved, target).mean()  # HERE


torch.manual_seed(0)
matcher = torch.compile(Matcher().eval(), backend="eager")
with torch.no_grad():
    result(matcher(torch.randn(6, 3), torch.randn(7, 3)))
