# A number is read from a tensor, and a later loop runs as often as it says.
# versions: 2.13+
# finding: break-item
# says: line \d+ loops that many times
import torch
from result import result


@torch.compile(backend="eager")
def f(x, lengths):
    longest = lengths.max().item()  # HERE
    total = torch.zeros_like(x[:, 0])
    for t in range(longest):
        total = total + x[:, t].sin() * (lengths > t)
    return total


for n in (2, 4, 3):
    result(f(torch.arange(12.0).view(3, 4), torch.tensor([1, n, 2])))
