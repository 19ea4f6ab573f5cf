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


@torch.compile(backend="eager", dynamic=True)
def add(rate, price, inner):
    return (rate * price + inner).tanh()


def total_of(rate, shelf):
    inner = torch.zeros_like(rate)
    for each in shelf.shelves:
        inner = inner + total_of(rate, each)
    return add(rate, torch.tensor(shelf.price), inner)


rate = torch.linspace(0, 1, 3)
for shelf in stock():
    result(total_of(rate, shelf))
