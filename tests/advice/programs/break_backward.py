# backward() and autograd.grad() inside of compiled functions.
# finding: break-backward
# severity: medium
# tolerance: 1e-6
import torch
from result import result


weight = torch.full((4,), 0.5, requires_grad=True)


@torch.compile(backend="aot_eager")
def loss_of(x):
    loss = (x * weight).sin().sum()
    loss.backward()  # HERE
    return loss.detach() * 2


@torch.compile(backend="aot_eager")
def slope(x):
    y = (x * weight).cos().sum()
    return torch.autograd.grad(y, weight)[0] * 2  # HERE


result(loss_of(torch.ones(4)), weight.grad, slope(torch.ones(4)))
