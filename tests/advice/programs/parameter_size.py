# A function is given parameters of several sizes.
# finding: recompile-parameter
import torch
from result import result


class Double(torch.nn.Module):
    def forward(self, p):
        return p * 2


compiled = torch.compile(Double(), backend="eager")
for n in (4, 5, 6):
    result(compiled(torch.nn.Parameter(torch.ones(n))))  # HERE
