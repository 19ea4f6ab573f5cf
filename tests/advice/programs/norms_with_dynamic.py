# A sound model with dynamic=True: features and epsilons are constants, and nobody has to know.
# clean
import torch
from result import result


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(8)
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        return x + self.linear(self.norm(x))


torch.manual_seed(0)
model = torch.compile(torch.nn.Sequential(*[Block() for _ in range(3)]), backend="eager", dynamic=True)
with torch.no_grad():
    for n in (4, 5, 6):
        result(model(torch.ones(n, 8)))
