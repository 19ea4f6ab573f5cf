# A counter of the module, so that the penalty is only computed each third time.
# True cause: the global number CALLS, which changes in each call.
# Fix: decide outside of the compiled function, or keep the number in a tensor.
# versions: 2.13+
# long
# finding: recompile-limit|recompile-global-value
# says: CALLS(.|\n)*Count outside
import torch
from result import result
from torch import nn

CALLS = 0


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 10), nn.Linear(10, 1)

    def forward(self, x):
        global CALLS
        CALLS += 1
        h = self.a(x).relu()
        loss = self.b(h).pow(2).mean()
        if CALLS % 3 == 0:
            loss = loss + 0.01 * h.abs().sum()
        return loss


torch.manual_seed(0)
net = torch.compile(Net(), backend="eager")
for _ in range(12):
    result(net(torch.randn(4, 5)))
