import torch
from result import result


def scaled(prices, name):
    return prices * len(name)


def total_of(prices):
    return scaled(prices + 1, "total_of").sum()


total = torch.compile(total_of, backend="eager")
result(total(torch.ones(3)))
