import torch
from result import result


def f(x):
    return x.sin() * 2


def main():
    compiled = torch.compile(f, backend="eager", dynamic=True)
    for n in (4, 5, 6):
        result(compiled(torch.arange(n) / 7))


main()
