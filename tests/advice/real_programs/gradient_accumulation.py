# Gradients are accumulated over four small batches; the compiled function gets the number of the step and scales the loss.
# True cause: the integer `step` is compiled in, and the condition on it makes another variant.
# versions: 2.13+
# finding: recompile-int|recompile-shape-relation
# says: step
# never-says: dynamic=True
import torch
from result import result
from torch import nn


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


torch.manual_seed(0)
model = Regressor()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


@torch.compile(backend="aot_eager")
def loss_of(x, y, step):
    loss = (model(x) - y).abs().mean() / 4
    if (step + 1) % 4 == 0:
        loss = loss + 1e-3 * sum(p.pow(2).sum() for p in model.parameters())
    return loss


for step in range(8):
    loss = loss_of(torch.randn(4, 5), torch.randn(4, 1), step)
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
    result(loss)
