# A check that replaces what is not finite is a choice, and must not become an assert.
# versions: 2.5+
# finding: break-branch
# says (2.6-2.8): torch.where
# says (2.9+): nan_to_num
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.log() * 2
    if torch.isnan(y).any():  # HERE
        y = torch.nan_to_num(y)
    return y + 1


for _ in range(2):
    result(f(torch.tensor([1.0, -1.0, 2.0])))
