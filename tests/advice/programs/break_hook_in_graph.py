# The norm of an inner gradient is watched by a hook that forward registers, which writes it down with .item().
# True cause: the hook on a tensor of the graph.
# finding: break-hook
# says: not read its value
import torch
from result import result
from torch import nn

NORMS = []


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 1)

    def forward(self, x):
        hidden = self.first(x).tanh()
        if hidden.requires_grad:
            hidden.register_hook(lambda grad: NORMS.append(grad.norm().item()))  # HERE
        return self.second(hidden).mean()


torch.manual_seed(0)
model = Watched()
compiled = torch.compile(model, backend="aot_eager")
for _ in range(3):
    loss = compiled(torch.ones(3, 4))
    loss.backward()
    result(loss.detach(), len(NORMS))
