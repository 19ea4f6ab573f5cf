# A scheduler sets another learning rate after each step of a compiled optimizer.
# finding: recompile-learning-rate
# also: break-c-function break-on-purpose
# long
import torch
from result import result

torch.manual_seed(0)
weight = torch.nn.Parameter(torch.ones(4))
optimizer = torch.optim.SGD([weight], lr=0.5)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
step = torch.compile(optimizer.step, backend="eager")
for _ in range(3):
    (weight**2).sum().backward()
    step()  # HERE
    scheduler.step()
    result(weight)
