# A tensor's value chooses one of several modules in a later line.
# versions: 2.13+
# finding: break-item
# says: chooses from `experts` by it
# never-says: capture it as a symbol
import torch
from result import result


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(4, 3)
        self.experts = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        best = int(weights.mean(0).argmax())  # HERE
        y = self.experts[best](x)
        return x + y.sin()


torch.manual_seed(0)
model = torch.compile(Model().eval(), backend="eager")
with torch.no_grad():
    result(model(torch.ones(2, 4)), model(torch.ones(2, 4)))
