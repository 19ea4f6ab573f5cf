import torch
from result import result


class Total(torch.nn.Module):
    def forward(self, batch):
        y = 0
        for name, value in batch.items():
            y = y + value * len(name)
        return y


total = torch.compile(Total(), backend="eager")

for keys in (("food", "toys"), ("toys", "food"), ("food", "toys")):
    batch = {key: torch.full((3,), float(len(key))) for key in keys}
    batch = dict(sorted(batch.items()))
    result(total(batch))
