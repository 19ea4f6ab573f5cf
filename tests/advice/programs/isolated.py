# Each torch.compile has a cache of its own: nothing is compiled again.
# clean
# versions: 2.13+
import torch
from result import result


class Scale(torch.nn.Module):
    def __init__(self, index):
        super().__init__()
        self.index = index

    def forward(self, x):
        return x * self.index


for i in range(12):
    result(torch.compile(Scale(i), backend="eager", isolate_recompiles=True)(torch.ones(2, 8)))
