import torch
from result import result

stock = torch.zeros(4, 3)
till = torch.tensor(0)


@torch.compile(backend="eager")
def sell(x):
    stock.index_copy_(0, (till % 4).reshape(1), x.sin().unsqueeze(0))
    return stock.sum(0) + x


torch.manual_seed(0)
for _ in range(3):
    result(sell(torch.randn(3)))
