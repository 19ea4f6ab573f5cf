import torch
from result import result


class Quantize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        scale = x.abs().max() / 127
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
