# An autograd.Function keeps its graph out of the caches, unless a setting allows it.
# inductor
# versions: 2.8+
# finding: cache-bypass
import torch
from result import result


class Discount(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0].cos()


@torch.compile  # HERE
def price(x):
    return Discount.apply(x) + 1


x = torch.ones(4, requires_grad=True)
y = price(x)
y.sum().backward()
result(y, x.grad)
