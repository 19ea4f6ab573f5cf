import torch
from result import result


class Double(torch.nn.Module):
    def forward(self, x):
        return x * 2


compiled = torch.compile(Double(), backend="eager")
for i in range(3):
    x = torch.arange(16).reshape(4, 4) / 7
    x = x.t() if i == 1 else x
    result(compiled(x.contiguous()))
