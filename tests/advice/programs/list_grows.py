# A list of tensors grows with each call.
# finding: recompile-length
# severity: medium
import torch
from result import result


class Total(torch.nn.Module):
    def forward(self, xs):
        total = xs[0] * 2
        for x in xs[1:]:
            total = total + x
        return total


model = torch.compile(Total(), backend="eager")
xs = []
for i in range(5):
    xs.append(torch.ones(3) * i)
    result(model(xs))  # HERE
