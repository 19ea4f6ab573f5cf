# A cache counts its own position in an integer, which is the bound of slices.
# finding: recompile-limit
# says: rises from call to call
# never-says: recompile_limit = |number of cases is small
# versions: 2.13+
import torch
from result import result


class Journal(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rows", torch.zeros(32, 3))
        self.position = 0

    def forward(self, x):
        self.rows[self.position : self.position + 1] = x  # HERE
        self.position += 1
        return self.rows[: self.position].sum(0)


model = torch.compile(Journal(), backend="eager")
for n in range(12):
    result(model(torch.full((1, 3), float(n))))
