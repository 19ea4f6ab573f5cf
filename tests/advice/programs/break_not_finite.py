# A check of the loss raises where it is not finite: nothing is to be chosen. It still raises after the fix.
# versions: 2.9+
# finding: break-branch
# also: break-exception
# says: isfinite
# tolerance: 1e-5
# inductor
import torch
from result import result


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x, y):
        loss = (self.layer(x) - y).square().mean()
        if not torch.isfinite(loss):  # HERE
            raise RuntimeError("loss is not finite")
        return loss * 2


torch.manual_seed(0)
model = torch.compile(Model())
for last in 0.0, 1.0, torch.inf:
    try:
        loss = model(torch.ones(2, 3), torch.full((2, 3), last))
        loss.backward()
        result(loss.detach())
    except (AssertionError, RuntimeError):
        print("it raises")
