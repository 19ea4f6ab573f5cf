import math

import torch
from result import result
from torch import nn


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.strength * grad, None


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.features, self.label, self.domain = nn.Linear(6, 16), nn.Linear(16, 4), nn.Linear(16, 2)

    def forward(self, x, strength):
        h = self.features(x).relu()
        return self.label(h), self.domain(Reverse.apply(h, strength))


torch.manual_seed(0)
network = Network()
compiled = torch.compile(network, backend="aot_eager")
optimizer = torch.optim.SGD(network.parameters(), lr=0.05)
for step in range(5):
    strength = 2 / (1 + math.exp(-10 * (step + 1) / 5)) - 1
    strength = torch.tensor(strength)
    x, y, d = torch.randn(8, 6), torch.randint(4, (8,)), torch.randint(2, (8,))
    label, domain = compiled(x, strength)
    loss = nn.functional.cross_entropy(label, y) + nn.functional.cross_entropy(domain, d)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    result(loss)
