# The code takes another way for long inputs: two compiles, and the place is the branch.
# finding: recompile-shape-relation
# not: recompile-size
import torch
from result import result


class Long(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 6:  # HERE (2.6+)
            return x * 2
        return x + 1


compiled = torch.compile(Long(), backend="eager", dynamic=True)
for n in (4, 5, 7, 8):
    result(compiled(torch.ones(n)))  # HERE (2.4-2.5)
