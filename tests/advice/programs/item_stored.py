# A module stores the newest value, with which no call computes: capturing it is right.
# versions: 2.13+
# finding: break-item
# never-says: is kept for the next call
import torch
from result import result


class Shows(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.newest = 0.0

    def forward(self, x):
        self.newest = max(1.0, x.detach().max().item())  # HERE
        return x * 2


model = Shows()
compiled = torch.compile(model, backend="eager")
for n in (1.0, 3.0, 2.0, 5.0, 4.0):
    result(compiled(torch.tensor([n, 1.0])))
