# A small and a large model of one class, each compiled and called at a line of its own: one compile for each.
# clean
# versions: 2.7+
import torch
from result import result


class Guess(torch.nn.Module):
    def __init__(self, shelves):
        super().__init__()
        self.shelves = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(shelves))

    def forward(self, x):
        for shelf in self.shelves:
            x = shelf(x).relu()
        return x


torch.manual_seed(0)
small, large = (torch.compile(Guess(n).eval(), backend="eager") for n in (1, 3))
with torch.no_grad():
    for _ in range(3):
        quick = small(torch.ones(2, 4))
        result(large(quick))
