# Two modules share PyTorch's wrapper; only the size of what the first of them gets varies.
# finding: recompile-size
# says: recompiled once
# never-says: has a different type|had type
# versions: 2.6+
import torch
from result import result

torch.manual_seed(0)
prices = torch.compile(torch.nn.Linear(4, 4), backend="eager")
floor = torch.compile(torch.nn.ReLU(), backend="eager")
out = []
for n in (3, 5, 7):
    x = prices(torch.ones(n, 4))  # HERE
    out.append(x.sum() + floor(torch.ones(2, 4)).sum())
result(torch.stack(out))
