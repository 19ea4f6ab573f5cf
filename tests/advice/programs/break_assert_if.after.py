# The assert is an operator of the graph.
import torch
from result import result


class Checked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.checks = True

    def forward(self, x):
        y = x.sin() + 1
        if self.checks:
            torch._assert_async((y > -1).all(), "too small")
        return y * 2


checked = torch.compile(Checked(), backend="eager")
for _ in range(2):
    result(checked(torch.ones(3, 3)))
