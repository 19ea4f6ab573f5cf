# Ten layers are compiled one by one, and each looks up its own entry of a list of caches.
# finding: recompile-limit
# versions: 2.13+
import torch
from result import result


class Block(torch.nn.Module):
    def __init__(self, index):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.index = index

    def forward(self, x, caches):
        return self.linear(x) + caches[self.index]  # HERE


torch.manual_seed(0)
caches = [torch.full((4,), float(i)) for i in range(10)]
x = torch.ones(2, 4)
with torch.no_grad():
    for i in range(10):
        x = torch.compile(Block(i), backend="eager")(x, caches)
result(x)
