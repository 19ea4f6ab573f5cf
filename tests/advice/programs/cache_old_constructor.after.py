import torch
from result import result


def total_of(prices):
    rates = torch.full((3, 2), 0.5)
    return (prices @ rates).sum()


total = torch.compile(total_of)
result(total(torch.ones(2, 3)))
