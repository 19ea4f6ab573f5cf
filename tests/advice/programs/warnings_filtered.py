# A warning is silenced in the compiled function.
# finding: break-c-function
# says: around the call of the compiled function
# never-says: once per program
# versions: 2.13+
# also: break-output
import warnings

import torch
from result import result


def total_of(prices, rates):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # HERE
        loss = torch.nn.functional.mse_loss(prices, rates)
    return loss + prices.sum()


total = torch.compile(total_of, backend="eager")
result(total(torch.ones(3, 1), torch.zeros(3, 1)))
