# A row of a tensor is written by an index that is a tensor without dimensions.
# finding: break-item
# versions: 2.13+
import torch
from result import result

stock = torch.zeros(4, 3)
till = torch.tensor(0)


@torch.compile(backend="eager")
def sell(x):
    stock[till % 4] = x.sin()  # HERE
    return stock.sum(0) + x


torch.manual_seed(0)
for _ in range(3):
    result(sell(torch.randn(3)))
