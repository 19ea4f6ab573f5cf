# Batches lack one key or another: the order is not what differs.
# finding: recompile-dict-keys|recompile-length
# never-says: in another order
import torch
from result import result


class Total(torch.nn.Module):
    def forward(self, batch):
        y = 0
        for name, value in batch.items():
            y = y + value * len(name)
        return y


total = torch.compile(Total(), backend="eager")
for keys in (("food", "toys"), ("food", "books"), ("toys", "books")):
    batch = {key: torch.full((3,), float(len(key))) for key in keys}
    result(total(batch))  # HERE
