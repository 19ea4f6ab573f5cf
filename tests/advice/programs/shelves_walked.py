# A function calls itself for what a shelf holds: each structure is a graph of its own, and no limit is enough.
# finding: recompile-limit
# says: walks down `shelf`
# says: \.shelves\[\.\.\]\.shelves\[\.\.\]
# never-says: raise the limit
# tolerance: 1e-6
# versions: 2.13+
import torch
from result import result


class Shelf:
    def __init__(self, price, shelves=()):
        self.price, self.shelves = price, list(shelves)


def stock():
    """Shelves in shelves, each stock with a structure of its own."""
    for depth in range(2, 8):
        shelf = Shelf(0.5)
        for level in range(depth):
            shelf = Shelf(float(level), [Shelf(1.0)] * (level % 3) + [shelf])
        yield shelf
    for width in range(3, 9):
        yield Shelf(2.0, [Shelf(0.5, [Shelf(1.5)] * width), Shelf(1.0)])


def total_of(rate, shelf):
    total = rate * shelf.price
    for inner in shelf.shelves:
        total = total + total_of(rate, inner)
    return total.tanh()


total = torch.compile(total_of, backend="eager")
rate = torch.linspace(0, 1, 3)
for shelf in stock():
    result(total(rate, shelf))  # HERE
