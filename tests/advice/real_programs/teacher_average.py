# A teacher follows its student as a moving average; the decay is warmed up with the number of the step.
# True cause: the Python number `step` changes in each call.
# versions: 2.13+
# long
# finding: recompile-int|recompile-specialized
# says: step
import copy

import torch
from result import result
from torch import nn


@torch.compile(backend="eager")
def follow(teacher, student, step):
    decay = min(0.99, (1 + step) / (10 + step))
    for slow, fast in zip(teacher, student):
        slow.mul_(decay).add_(fast, alpha=1 - decay)


torch.manual_seed(0)
student = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
teacher = copy.deepcopy(student).requires_grad_(False)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 6)
    loss = (student(x) - teacher(x).detach()).pow(2).mean() + student(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        follow(list(teacher.parameters()), list(student.parameters()), step)
result(list(teacher.parameters()))
