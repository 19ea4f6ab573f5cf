# A list is indexed with a tensor.
# finding: break-item
import torch
from result import result


items = [torch.full((4,), float(i)) for i in range(3)]


@torch.compile(backend="eager")
def f(x, i):
    y = x.sin() * 2
    return y.cos() + items[i]  # HERE


for i in range(3):
    result(f(torch.ones(4), torch.tensor(i)))
