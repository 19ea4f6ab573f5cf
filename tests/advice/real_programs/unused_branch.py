# An optimizer of one's own, compiled. In some steps one head has no gradient.
# True cause: `.grad` of the parameters of a head is None in some steps.
# versions: 2.13+
# long
# finding: recompile-none
import torch
from result import result
from torch import nn


class Lion:
    def __init__(self, parameters, lr):
        self.parameters = list(parameters)
        self.lr = torch.tensor(lr)
        self.averages = [torch.zeros_like(p) for p in self.parameters]

    @torch.no_grad()
    def update(self):
        for p, average in zip(self.parameters, self.averages):
            if p.grad is not None:  # HERE
                step = (0.9 * average + 0.1 * p.grad).sign()
                p.sub_(self.lr * step)
                average.mul_(0.99).add_(p.grad, alpha=0.01)


torch.manual_seed(0)
trunk, left, right = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
parameters = [*trunk.parameters(), *left.parameters(), *right.parameters()]
optimizer = Lion(parameters, 0.01)
update = torch.compile(optimizer.update, backend="eager")
x = torch.ones(2, 4)
for step in range(6):
    for p in parameters:
        p.grad = None
    hidden = trunk(x).relu()
    loss = left(hidden).mean() + (right(hidden).mean() if step % 2 else 0)
    loss.backward()
    update()
    result(loss.detach())
