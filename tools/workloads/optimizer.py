"""A compiled optimizer step beside an eager model; a learning rate that is a tensor does not recompile."""

import torch
from torch import nn

RUN = {}

torch.manual_seed(2)
model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=torch.tensor(0.01))
schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)


@torch.compile(fullgraph=False)
def step():
    optimizer.step()
    schedule.step()


for _ in range(3):
    optimizer.zero_grad()
    model(torch.ones(2, 4)).sum().backward()
    step()
