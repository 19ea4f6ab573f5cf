# The same on one line with what switches it on: it is the assert that looks at tensors.
# versions: 2.13+
# long
# finding: break-branch
# says: _assert_async
import torch
from result import result


class Checked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.checks = True

    def forward(self, x):
        y = x.sin() + 1
        if self.checks: assert (y > -1).all(), f"too small: {y.min()}"  # HERE
        return y * 2


checked = torch.compile(Checked(), backend="eager")
for _ in range(2):
    result(checked(torch.ones(3, 3)))
