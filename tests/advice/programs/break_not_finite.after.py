# The check is an operator of the graph, and still raises.
import torch
from result import result


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x, y):
        loss = (self.layer(x) - y).square().mean()
        torch._assert_async(torch.isfinite(loss).all(), "loss is not finite")
        return loss * 2


model = torch.compile(Model(), backend="eager")
for _ in range(2):
    loss = model(torch.ones(2, 3), torch.zeros(2, 3))
    loss.backward()
    result(loss.detach())
