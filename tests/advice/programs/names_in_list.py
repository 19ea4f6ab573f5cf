# A module goes through a list of names, which chooses what it does.
# finding: recompile-module-attribute|recompile-length
# says: Strings choose what the code does
# never-says: isolate_recompiles|tensor of a varying size|keep it in a tensor
# tolerance: 1e-6
# versions: 2.7+
import torch
from result import result


class Tills(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rates = torch.nn.ParameterDict({name: torch.full((3,), rate) for name, rate in RATES})
        self.open = []

    def forward(self, x):
        y = x
        for name in self.open:
            y = y + x * self.rates[name]  # HERE
        return y


class Shop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tills = Tills()

    def forward(self, x):
        return self.tills(x).sin()


RATES = (("food", 0.5), ("books", 2.0), ("toys", 4.0))
shop = Shop()
model = torch.compile(shop, backend="eager")
with torch.no_grad():
    for names in (["food"], ["books"], ["food", "toys"], ["toys"]):
        shop.tills.open = names
        result(model(torch.ones(3)))
