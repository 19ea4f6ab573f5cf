# Each batch has the same keys, in another order.
# finding: recompile-dict-keys
# says: the same keys in another order
# never-says: fill missing ones
# versions: 2.7+
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
    result(total(batch))  # HERE
