# Each sale is noted in a list inside of the compiled function, as a number.
# finding: break-item
# also: recompile-grown-container
# says: behind the call
# versions: 2.13+
import torch
from result import result

sales = []


@torch.compile(backend="eager")
def sell(x):
    y = x * 2
    sales.append(y.sum().item())  # HERE
    return y + 1


result(sell(torch.ones(3)))
result(sales)
