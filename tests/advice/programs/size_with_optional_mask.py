# A mask is not always there, so it cannot be marked before each call; the sizes of both vary.
# finding: recompile-size
# versions: 2.6+
# also: recompile-none
import dataclasses
import torch
from result import result


@dataclasses.dataclass
class Batch:
    x: torch.Tensor
    mask: object = None


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, batch):
        y = self.linear(batch.x)
        return y if batch.mask is None else y * batch.mask


torch.manual_seed(0)
model = torch.compile(Model(), backend="eager")
for i in range(6):
    n = 4 + i % 3
    batch = Batch(torch.ones(n, 8) * i, torch.ones(n, 1) if i % 2 else None)
    out = model(batch)  # HERE
    result(out)
