# A function that a model calls with a parameter, and with a tensor: two types, which are two compiles because of the break in it.
# finding: break-branch
# versions: 2.13+
import torch
from result import result


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step):
        ctx.save_for_backward(x.abs() < 100)
        return torch.round(x / step) * step

    @staticmethod
    def backward(ctx, grad):
        (inside,) = ctx.saved_tensors
        if not inside.any():  # HERE
            return torch.zeros_like(grad), None
        return grad * inside, None


class Price(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3, 3))

    def forward(self, x):
        weight = Rounded.apply(self.weight, 0.5)
        return Rounded.apply(x, 0.25) @ weight


model = torch.nn.Sequential(Price(), torch.nn.ReLU(), Price())
compiled = torch.compile(model, backend="aot_eager")
for day in range(3):
    model.zero_grad()
    compiled(torch.ones(2, 3) * day).sum().backward()
    result(model[0].weight.grad)
