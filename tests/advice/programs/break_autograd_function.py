# A function with a backward of its own has a forward-mode derivative, too.
# finding: break-autograd-function
# severity: medium
import torch
from result import result


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2

    @staticmethod
    def jvp(ctx, tangent):
        return tangent * 2


def f(x):
    y = x.sin()
    y = Double.apply(y)  # HERE
    return y.cos()


x = torch.ones(3, requires_grad=True)
y = torch.compile(f, backend="aot_eager")(x)
y.sum().backward()
result(y, x.grad)
