# A tensor is filled with random integers in place.
# finding: break-random
# severity: medium
# says: random_
# never-says: Random numbers of Python
# versions: 2.13+
import torch
from result import result


def f(x):
    y = x.sin()
    noise = torch.empty(3).random_(5, 6)  # HERE
    return y + noise


result(torch.compile(f, backend="eager")(torch.ones(3)))
