import torch
from result import result

torch.manual_seed(0)
norms = []


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.second(self.first(x).relu())


model = Model()
y = torch.compile(model, backend="aot_eager")(torch.ones(2, 4))
y.register_hook(lambda gradient: norms.append(gradient.norm().item()))
y.sum().backward()
result(y, len(norms))
