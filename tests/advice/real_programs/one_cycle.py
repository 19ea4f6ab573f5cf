# One cycle of learning rate and momentum. The step of the optimizer is compiled; the rate is a tensor already.
# True cause: the momentum, `betas` of the optimizer, is a Python number that the scheduler changes.
# versions: 2.13+
# long
# never-says: torch.tensor
# finding: recompile-learning-rate
import torch
from result import result
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=torch.tensor(0.01), foreach=False, capturable=False)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=8)
step = torch.compile(optimizer.step, backend="eager")
x = torch.ones(3, 4)
for _ in range(6):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    loss.backward()
    step()  # HERE
    scheduler.step()
    result(loss.detach())
