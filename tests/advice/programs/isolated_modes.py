# Each torch.compile has a cache of its own, and each module is called with gradients and without.
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


scales = [torch.compile(Scale(i), backend="eager", isolate_recompiles=True) for i in range(9)]
for scale in scales:
    result(scale(torch.ones(2, 8)))
with torch.no_grad():
    for scale in scales:
        result(scale(torch.ones(2, 8)))
