# The learning rate is halved by hand when the loss rises no more; the optimizer's step is compiled.
# True cause: the learning rate, a Python number of the optimizer, changes.
# Fix: keep it in a tensor.
# versions: 2.13+
# long
# finding: recompile-learning-rate
# says: lr
import torch
from result import result
from torch import nn

torch.manual_seed(0)
model = nn.Linear(6, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)


@torch.compile(backend="eager")
def update():
    optimizer.step()


for step in range(6):
    loss = model(torch.randn(8, 6)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    update()
    if step % 2:
        for group in optimizer.param_groups:
            group["lr"] *= 0.5
    result(loss)
