# The whole training step is compiled: forward, backward, optimizer.
# True cause: the step as a whole is compiled, and not the model in it.
# versions: 2.13+
# finding: break-train-step
import torch
from result import result
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.compile(backend="eager")
def train_step(x, y):
    loss = (model(x) - y).pow(2).mean()
    optimizer.zero_grad()  # HERE
    loss.backward()  # HERE
    optimizer.step()  # HERE
    return loss


for _ in range(3):
    result(train_step(torch.randn(8, 6), torch.randn(8, 1)).detach())
