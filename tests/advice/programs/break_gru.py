# A recurrent module.
# finding: break-unsupported-module
# versions: 2.13+
import torch
from result import result


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(4, 4)
        self.rnn = torch.nn.GRU(4, 4)
        self.out = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.inner(x).relu()
        y, _ = self.rnn(y)  # HERE
        return self.out(y).relu()


torch.manual_seed(0)
model = Tagger()
y = torch.compile(model, backend="aot_eager")(torch.ones(3, 2, 4))
y.sum().backward()
result(y, model.inner.weight.grad)
