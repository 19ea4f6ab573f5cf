# The whole training step is compiled: forward, backward, optimizer.
# True cause: backward() inside of the compiled function.
# versions: 2.13+
# known-failing: breaks of one step are told one by one, the cause not first
# finding: break-backward
# also: break-other break-inplace break-c-function
import torch
from result import result
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.compile(backend="eager")
def train_step(x, y):
    loss = (model(x) - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()  # HERE
    optimizer.step()
    return loss


for _ in range(3):
    result(train_step(torch.randn(8, 6), torch.randn(8, 1)).detach())
