# Numbers of a tensor go into a set.
# finding: break-item
# severity: medium
# says: a number from a tensor must be known
# versions: 2.6+
import torch
from result import result


def f(x, labels):
    y = x.softmax(0)
    seen = {label.item() for label in labels}  # HERE
    return y * len(seen)


result(torch.compile(f, backend="eager")(torch.ones(3), torch.tensor([1, 2, 2])))
