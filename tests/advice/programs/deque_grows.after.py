import torch
from result import result


class Till(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(4, 3))

    def forward(self, x, i):
        self.last.index_copy_(0, i.reshape(1), (x * 2).unsqueeze(0))
        return self.last.sum(0)


till = torch.compile(Till(), backend="eager")
for day in range(4):
    result(till(torch.ones(3) * day, torch.tensor(day % 4)))
