# A training loop with a compiled optimizer step and a schedule that changes the learning rate every epoch.
# True cause: the learning rate is a Python float in the optimizer. A tensor, set once, mends it.
# versions: 2.13+
# finding: recompile-learning-rate
import torch
from result import result
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU())
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(self.body(x))


torch.manual_seed(0)
model = Classifier()
forward = torch.compile(model, backend="eager")
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)


@torch.compile(backend="eager")
def step():
    optimizer.step()  # HERE


losses = []
for epoch in range(5):
    for _ in range(2):
        x, y = torch.randn(8, 16), torch.randint(4, (8,))
        loss = nn.functional.cross_entropy(forward(x), y)
        optimizer.zero_grad()
        loss.backward()
        step()
    schedule.step()
    losses.append(loss.detach())
result(losses)
