import torch
from result import result


class Tills(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rates = torch.nn.ParameterDict({name: torch.full((3,), rate) for name, rate in RATES})
        self.register_buffer("weights", torch.zeros(len(RATES)))

    def forward(self, x):
        y = x
        for weight, (name, _) in zip(self.weights, RATES):
            y = y + weight * x * self.rates[name]
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
        shop.tills.weights.copy_(torch.tensor([float(name in names) for name, _ in RATES]))
        result(model(torch.ones(3)))
