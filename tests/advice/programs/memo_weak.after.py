import weakref

import torch
from result import result

packed = weakref.WeakKeyDictionary()


def pack(layer):
    known = packed.get(layer)
    if known is None:
        known = layer.weight.t().contiguous()
        packed[layer] = known
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
    pack(till.layer)
    for day in range(4):
        result(sell(torch.ones(2, 3) * day))
