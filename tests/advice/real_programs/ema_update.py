# Weights are averaged after each step, with a decay that warms up: a Python float which differs in each call.
# True cause: the float `decay` is compiled in; it becomes dynamic with the second value.
# versions: 2.13+
# finding: recompile-float
# says: decay
import copy

import torch
from result import result
from torch import nn


@torch.compile(backend="eager")
def average(averaged, current, decay):
    for a, c in zip(averaged, current):
        a.mul_(decay).add_(c, alpha=1 - decay)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
shadow = copy.deepcopy(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    loss = model(torch.randn(8, 6)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        average([p.data for p in shadow.parameters()], [p.data for p in model.parameters()], min(0.999, (1 + step) / (10 + step)))
result(list(shadow.parameters()))
