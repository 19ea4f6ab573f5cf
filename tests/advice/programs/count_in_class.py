# A class counts its calls. PyTorch 2.6 does not trace that, and breaks the graph twice at one line.
# finding: break-builtin
# says: a count may be too low
# not: break-other
# versions: 2.6
import torch
from result import result


class Till(torch.nn.Module):
    sold = 0

    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        Till.sold += 1  # HERE
        return (self.scale * x).sin()


class Shop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = Till(), Till()

    def forward(self, x):
        return self.right(x + self.left(x))


model = torch.compile(Shop(), backend="eager")
for n in range(3):
    result(model(torch.arange(4.0) + n).sum())
