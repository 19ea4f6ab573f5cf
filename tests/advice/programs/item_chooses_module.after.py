import torch
from result import result


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(4, 3)
        self.experts = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        best = weights.mean(0).argmax()
        y = self.experts[0](x)
        for number, expert in enumerate(self.experts):
            y = torch.where(best == number, expert(x), y)
        return x + y.sin()


torch.manual_seed(0)
model = torch.compile(Model().eval(), backend="eager")
with torch.no_grad():
    result(model(torch.ones(2, 4)), model(torch.ones(2, 4)))
