# The counters of a shop are unfrozen from the last to the first, and each state of the model is compiled.
# finding: recompile-limit
# says: made trainable one after the other
# tolerance: 1e-6
# versions: 2.7+
import torch
from result import result


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.price = torch.nn.Linear(4, 4)

    def forward(self, x):
        return x + self.price(x).tanh()


class Shop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.counters = torch.nn.ModuleList(Counter() for _ in range(10))
        self.till = torch.nn.Linear(4, 1)

    def forward(self, x):
        for counter in self.counters:
            x = counter(x)
        return self.till(x)


torch.manual_seed(0)
shop = Shop()
shop.counters.requires_grad_(False)
model = torch.compile(shop, backend="eager")
x = torch.randn(3, 4)
for stage in range(11):
    if stage:
        shop.counters[-stage].requires_grad_(True)
    loss = model(x).sum()  # HERE
    loss.backward()
    result(loss)
