# A global variable says whether the warm-up is over.
# True cause: the global WARM changes, and compiled code depends on it.
# versions: 2.13+
# finding: recompile-global-value
# says: WARM
# never-says: WARM = torch.tensor
import torch
from result import result
from torch import nn

WARM = False


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 16), nn.Linear(16, 2)

    def forward(self, x):
        h = self.a(x).relu()
        return self.b(h if WARM else h.detach())


torch.manual_seed(0)
net = Net()
compiled = torch.compile(net, backend="aot_eager")
for step in range(4):
    WARM = step >= 2
    loss = compiled(torch.randn(4, 6)).pow(2).mean()
    loss.backward()
    result(loss)
