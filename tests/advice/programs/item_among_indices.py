# A tensor's value is one of several indices in a later line: captured as a symbol, it would fail there.
# versions: 2.13+
# finding: break-item
# says: uses it as one of several indices
# never-says: capture it as a symbol
import torch
from result import result


class Pooler(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix, self.head = torch.nn.Linear(4, 4), torch.nn.Linear(4, 3)

    def forward(self, x, mask):
        hidden = self.mix(x).tanh().cumsum(1)
        n = mask.sum(-1).max().item()  # HERE
        last = hidden[:, n - 1]
        return self.head(last)


torch.manual_seed(0)
model = torch.compile(Pooler().eval(), backend="eager")
mask = torch.ones(2, 5, dtype=torch.long)
with torch.no_grad():
    result(model(torch.ones(2, 5, 4), mask), model(torch.ones(2, 5, 4), mask))
