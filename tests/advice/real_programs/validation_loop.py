# Training with a validation after each epoch: eval() and no_grad() come together.
# True cause: the same code is compiled once for training and once for validation, by design; one recompile, harmless.
# versions: 2.13+
# finding: recompile-training-flag|recompile-global-state
# severity: info
import torch
from result import result
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.drop, self.b = nn.Linear(6, 16), nn.Dropout(0.1), nn.Linear(16, 2)

    def forward(self, x):
        return self.b(self.drop(self.a(x).relu()))


torch.manual_seed(0)
net = Net()
compiled = torch.compile(net, backend="eager")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    net.train()
    loss = compiled(torch.randn(8, 6)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    net.eval()
    with torch.no_grad():
        result(compiled(torch.ones(8, 6)).mean())
