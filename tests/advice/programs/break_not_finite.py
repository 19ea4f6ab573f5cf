# A check of the loss raises where it is not finite: nothing is to be chosen.
# versions: 2.6+
# finding: break-branch
# says: isfinite
import torch
from result import result


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x, y):
        loss = (self.layer(x) - y).square().mean()
        if torch.isnan(loss):  # HERE
            raise RuntimeError("loss is NaN")
        return loss * 2


model = torch.compile(Model(), backend="eager")
for _ in range(2):
    loss = model(torch.ones(2, 3), torch.zeros(2, 3))
    loss.backward()
    result(loss.detach())
