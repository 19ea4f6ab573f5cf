import torch
from result import result


def weigh(prices, labels):
    return prices * torch.nn.functional.one_hot(labels, 4).sum(0)


weighed = torch.compile(weigh, backend="eager")
prices = torch.linspace(0, 1, 4)
for day in range(8):
    result(weighed(prices, torch.tensor([(day + 2) % 4, (day // 2) % 4, (day // 3 + 1) % 4, 1])))
