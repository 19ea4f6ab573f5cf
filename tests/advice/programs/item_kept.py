# An observer keeps the largest value, read from a tensor: as a symbol, it is wrong in 2.13, and does not compile in 2.6.
# tolerance: 1e-6
# versions: 2.6+
# finding: break-item
# says: is kept for the next call
# never-says: capture_scalar_outputs = True
import torch
from result import result


class Observes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.largest = float("-inf")

    def forward(self, x):
        self.largest = max(self.largest, x.detach().max().item())  # HERE
        return x / self.largest


model = Observes()
compiled = torch.compile(model, backend="eager")
for n in (1.0, 3.0, 2.0, 5.0, 4.0):
    result(compiled(torch.tensor([n, 1.0])))
