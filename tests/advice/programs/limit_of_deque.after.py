import torch
from result import result

last = torch.zeros(20, 2)


@torch.compile(backend="eager")
def sell(x, i):
    last.index_copy_(0, i.reshape(1), (x + 1).unsqueeze(0))
    return last.sum()


for day in range(12):
    result(sell(torch.ones(2) * day, torch.tensor(day % 20)))
