# one_hot reads the number of classes from the data.
# finding: break-data-shape
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x * 2
    return torch.nn.functional.one_hot(y).float() + 1  # HERE


result(f(torch.tensor([0, 3])))
