# Objects in a list of one object, of which the number differs: no recursion.
# finding: recompile-limit
# never-says: walks down
# versions: 2.13+
import torch
from result import result


class Shelf:
    def __init__(self, price, shelves=()):
        self.price, self.shelves = price, list(shelves)


def total_of(rate, shelf):  # HERE
    total = rate * shelf.price
    for inner in shelf.shelves:
        total = total + rate * inner.price
    return total


total = torch.compile(total_of, backend="eager")
rate = torch.linspace(0, 1, 3)
for width in range(1, 12):
    result(total(rate, Shelf(2.0, [Shelf(0.5)] * width)))
