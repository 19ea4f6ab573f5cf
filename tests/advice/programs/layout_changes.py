# A transposed view is passed between contiguous tensors.
# finding: recompile-stride
# paste-before (2.7+): # CALL
import torch
from result import result


class Double(torch.nn.Module):
    def forward(self, x):
        return x * 2


compiled = torch.compile(Double(), backend="eager")
for i in range(3):
    x = torch.arange(16).reshape(4, 4) / 7
    x = x.t() if i == 1 else x
    y = compiled(x)  # HERE  # CALL
    result(y)
