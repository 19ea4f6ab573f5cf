# All sizes are dynamic, but in the first call two are equal, and a line makes their one symbol a constant.
# finding: recompile-size
# also: specialization
# says: equal to another size
# never-says: or `torch.compile\(..., dynamic=True\)`
# versions: 2.7+
import torch
from result import result


@torch.compile(backend="eager", dynamic=True)
def fold(x, y):
    return x.reshape(-1, 4) + y.sum()


for n in (4, 6, 9):
    result(fold(torch.ones(n, 4), torch.ones(n)))  # HERE
