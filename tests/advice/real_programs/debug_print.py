# Blocks in a list print their norm while debugging was left on.
# versions: 2.13+
# finding: break-print
# output: differs
import torch
from result import result
from torch import nn

DEBUG = True


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.ff = nn.LayerNorm(width), nn.Linear(width, width)

    def forward(self, x):
        y = x + self.ff(self.norm(x)).relu()
        if DEBUG:
            print("norm", y.shape)  # HERE
        return y


torch.manual_seed(0)
model = torch.compile(nn.Sequential(*(Block(8) for _ in range(4))), backend="eager")
result(model(torch.ones(2, 8)).detach())
