# A value is read in the forward of an autograd.Function, where Dynamo cannot capture it as a symbol.
# tolerance: 1e-5
# versions: 2.13+
# finding: break-item
# says: Keep it a tensor
# never-says: capture_scalar_outputs = True
import torch
from result import result


class Quantize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        scale = x.abs().max().item() / 127  # HERE
        ctx.save_for_backward(x.abs() <= 1)
        return torch.round(x / scale) * scale

    @staticmethod
    def backward(ctx, grad):
        (inside,) = ctx.saved_tensors
        return grad * inside


@torch.compile(backend="aot_eager")
def f(x):
    return Quantize.apply(x.sin() * 2).sum()


x = torch.linspace(-1, 2, 8, requires_grad=True)
f(x).backward()
result(f(x), x.grad)
