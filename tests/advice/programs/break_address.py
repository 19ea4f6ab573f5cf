# Whether two arguments are one tensor is asked by their addresses.
# finding: break-other
# says: addresses are compared
# versions: 2.6+
import torch
from result import result


def price(goods, stock):
    if goods.data_ptr() == stock.data_ptr():  # HERE
        return goods.cos() + 1
    return goods.cos() + stock.exp()


result(torch.compile(price, backend="eager")(torch.ones(4), torch.ones(4)))
