# A loop runs as often as a tensor says.
# finding: break-item
# severity: medium
# says: a loop over a number
# also: recompile-int skipped-frame
# versions: 2.6+
import torch
from result import result


def f(x, n):
    y = x.sin()
    for i in range(int(n)):  # HERE
        y = y + i
    return y


compiled = torch.compile(f, backend="eager")
result(compiled(torch.ones(3), torch.tensor(3)), compiled(torch.ones(3), torch.tensor(5)))
