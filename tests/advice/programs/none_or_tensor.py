# A mask is sometimes None.
# finding: recompile-none
# severity: low
import torch
from result import result


class Masked(torch.nn.Module):
    def forward(self, x, mask=None):
        x = x + 1
        return x if mask is None else x * mask


model = torch.compile(Masked(), backend="eager")
for i in range(4):
    result(model(torch.ones(3), torch.ones(3) if i % 2 else None))  # HERE
