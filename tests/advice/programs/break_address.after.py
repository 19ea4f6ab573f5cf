import torch
from result import result


def price(goods, stock):
    if goods is stock:
        return goods.cos() + 1
    return goods.cos() + stock.exp()


result(torch.compile(price, backend="eager")(torch.ones(4), torch.ones(4)))
