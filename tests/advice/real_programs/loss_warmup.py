# A global counter of steps decides about warm-up in the loss.
# versions: 2.13+
# long
# finding: recompile-global-value
import torch
from result import result
from torch import nn

STEP = 0


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def forward(self, x, y):
        weight = min(1.0, (STEP + 1) / 10)
        return weight * (self.net(x) - y).pow(2).mean()


torch.manual_seed(0)
model = torch.compile(Regressor(), backend="aot_eager")
for _ in range(4):
    loss = model(torch.randn(8, 4), torch.randn(8, 1))
    loss.backward()
    STEP += 1
    result(loss.detach())
