# The same input has two dtypes in turn.
# finding: recompile-dtype
import torch
from result import result


class Double(torch.nn.Module):
    def forward(self, x):
        return x * 2


compiled = torch.compile(Double(), backend="eager")
for dtype in (torch.float32, torch.float64, torch.float32):
    x = torch.ones(3, dtype=dtype).to(torch.float32)
    result(compiled(x).double())  # HERE
