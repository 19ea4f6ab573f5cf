# Training with gradients, and then a look at the result without them: one compile for each is what it takes.
# clean
import torch
from result import result

weight = torch.ones(3, requires_grad=True)


@torch.compile(backend="eager")
def total(x):
    return (x * weight).sum()


for day in range(3):
    total(torch.ones(3) * day).backward()
    with torch.no_grad():
        result(total(torch.ones(3)))
