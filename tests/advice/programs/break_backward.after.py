import torch
from result import result


weight = torch.full((4,), 0.5, requires_grad=True)


@torch.compile(backend="aot_eager")
def product(x):
    return (x * weight).sin().sum()


@torch.compile(backend="aot_eager")
def other_product(x):
    return (x * weight).cos().sum()


loss = product(torch.ones(4))
loss.backward()
slope = torch.autograd.grad(other_product(torch.ones(4)), weight)[0] * 2
result(loss.detach() * 2, weight.grad, slope)
