# Each floor of a warehouse is compiled by itself: the first gets the boxes, the others what the floor below computed.
# clean
# versions: 2.13+
# never-says: Set it once
import torch
from result import result


class Floor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = torch.nn.Linear(4, 4)

    def forward(self, x):
        return x + torch.tanh(self.lift(x))


torch.manual_seed(0)
floors = torch.nn.ModuleList(Floor() for _ in range(5))
for floor in floors:
    floor.compile(backend="eager")
for day in range(3):
    x = torch.full((2, 4), float(day))
    for floor in floors:
        x = floor(x)
    x.sum().backward()
    result(x)
