# One trunk; the head is put in for each task before the model is called.
# True cause: `model.head` is another module in each task.
# versions: 2.13+
# long
# finding: recompile-type
import torch
from result import result
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.trunk(x).relu())  # HERE


torch.manual_seed(0)
model = Model()
heads = [nn.Linear(8, 2), nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 3)), nn.Linear(8, 5)]
compiled = torch.compile(model, backend="eager")
with torch.no_grad():
    for head in heads + heads:
        model.head = head
        result(compiled(torch.ones(2, 4)))
