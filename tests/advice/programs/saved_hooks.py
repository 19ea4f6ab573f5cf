# What is saved for backward is packed by hooks, which a part of the function enters. Python runs all of it then.
# finding: break-context-manager
# says: all that the call saves for backward
# tolerance: 1e-2
# versions: 2.6+
import torch
from result import result


def shrink(t):
    return t.to(torch.bfloat16)


def grow(t):
    return t.to(torch.float32)


class Shop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(6, 12), torch.nn.Linear(12, 6)

    def forward(self, x):
        with torch.autograd.graph.saved_tensors_hooks(shrink, grow):  # HERE
            x = self.second(self.first(x).sin()).cos()
        return x.sum()


torch.manual_seed(0)
shop = Shop()
model = torch.compile(shop, backend="eager")
loss = model(torch.randn(3, 6))
loss.backward()
result(loss)
