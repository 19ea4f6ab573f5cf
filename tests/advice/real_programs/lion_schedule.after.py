import math

import torch
from result import result
from torch import nn

torch.manual_seed(0)


class Lion:
    def __init__(self, params, lr=1e-2, betas=(0.9, 0.99)):
        self.params = list(params)
        self.lr = torch.tensor(lr, dtype=torch.float64)
        self.betas = betas
        self.momentum = [torch.zeros_like(p) for p in self.params]
        self._step = torch.compile(self.update, backend="eager")

    @torch.no_grad()
    def update(self, grads):
        b1, b2 = self.betas
        for p, m, g in zip(self.params, self.momentum, grads):
            direction = torch.sign(m * b1 + g * (1 - b1))
            p.sub_(direction * self.lr)
            m.mul_(b2).add_(g, alpha=1 - b2)

    def step(self):
        self._step([p.grad for p in self.params])

    def zero_grad(self):
        for p in self.params:
            p.grad = None


class Cosine:
    def __init__(self, opt, total):
        self.opt, self.total, self.base, self.now = opt, total, float(opt.lr), 0

    def step(self):
        self.now += 1
        self.opt.lr = torch.tensor(self.base * 0.5 * (1 + math.cos(math.pi * self.now / self.total)), dtype=torch.float64)


model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
opt = Lion(model.parameters())
sched = Cosine(opt, 12)
data = torch.randn(64, 8)
for i in range(12):
    loss = (model(data[i * 4:i * 4 + 8]) - 1).square().mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
    sched.step()
    result(loss)
