import torch
from result import result
from torch import nn

NORMS = []


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 1)

    def before(self, x):
        return self.first(x).tanh()

    def behind(self, hidden):
        return self.second(hidden).mean()

    def forward(self, x):
        hidden = self.before(x)
        if hidden.requires_grad:
            hidden.register_hook(lambda grad: NORMS.append(grad.norm().item()))
        return self.behind(hidden)


torch.manual_seed(0)
model = Watched()
model.before = torch.compile(model.before, backend="aot_eager")
model.behind = torch.compile(model.behind, backend="aot_eager")
for _ in range(3):
    loss = model(torch.ones(3, 4))
    loss.backward()
    result(loss.detach(), len(NORMS))
