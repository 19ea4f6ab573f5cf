# An integer of a module, which 2.6 makes dynamic when it has changed once.
# finding: recompile-module-attribute
# severity: low
# says: one more compile, once
# never-says: raise the limit|keep it in a tensor
# versions: 2.6
import torch
from result import result


class Journal(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.position = 2

    def forward(self, x):
        return x * self.position


class Shop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.journal = Journal()

    def forward(self, x):
        return self.journal(x)


shop = Shop()
model = torch.compile(shop, backend="eager")
for n in range(5):
    result(model(torch.ones(3)))  # HERE
    shop.journal.position += 1
