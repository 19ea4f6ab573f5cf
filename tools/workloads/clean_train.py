"""Forward, backward and an eager optimizer step of a small classifier: nothing breaks, nothing recompiles."""

import torch
from torch import nn

import truth

RUN = {}


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(12, 16)
        self.out = nn.Linear(16, 3)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


torch.manual_seed(7)
model = Classifier()
compiled = torch.compile(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets = torch.randn(8, 12), torch.randint(0, 3, (8,))

losses = []
for _ in range(3):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(compiled(inputs), targets)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
assert losses[-1] < losses[0]
truth.note("steps", len(losses))
