import torch
from result import result


class Cools(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.temperature = torch.tensor(1.0)

    def forward(self, x):
        return x / self.temperature


model = Cools()
compiled = torch.compile(model, backend="eager")
for _ in range(4):
    result(compiled(torch.ones(3)))
    model.temperature = model.temperature / 2
