# An optional attribute is read and its absence is caught: no guard notices a later order that has it.
# finding: missing-guard
# says: hasattr\(order, name\)
# versions: 2.13+
# output: differs
import contextlib

import torch
from result import result


class Order:
    def __init__(self, price):
        self.price = price


def total_of(order, rate):
    total = order.price * rate
    with contextlib.suppress(AttributeError):  # HERE
        total = total - order.rebate
    return total


total = torch.compile(total_of, backend="eager")
plain, rebated = Order(torch.arange(4.0)), Order(torch.arange(4.0))
rebated.rebate = torch.ones(4)
rate = torch.tensor(1.5)
for order in (plain, rebated):
    print(total(order, rate))
result(rate)
