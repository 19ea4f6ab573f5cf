import warnings

import torch
from result import result


def total_of(prices, rates):
    return torch.nn.functional.mse_loss(prices, rates) + prices.sum()


total = torch.compile(total_of, backend="eager")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    result(total(torch.ones(3, 1), torch.zeros(3, 1)))
