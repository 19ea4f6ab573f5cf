# A dict by weak references is filled by the first call, and then only read: its length changes once.
# finding: recompile-length
# says: fill it before the first compiled call
# versions: 2.13+
import weakref

import torch
from result import result

packed = weakref.WeakKeyDictionary()


def pack(layer):
    known = packed.get(layer)
    if known is None:
        known = layer.weight.t().contiguous()
        packed[layer] = known  # HERE
    return known


class Till(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x):
        return x @ pack(self.layer)


torch.manual_seed(0)
till = Till()
sell = torch.compile(till, backend="eager")
with torch.no_grad():
    for day in range(4):
        result(sell(torch.ones(2, 3) * day))
