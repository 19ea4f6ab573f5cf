# The gradient is computed within the compiled function, whose line says create_graph, too.
# clean
# versions: 2.13+
import torch
from result import result

weight = torch.ones(3, requires_grad=True)


@torch.compile(backend="aot_eager")
def penalty(goods):
    slope = torch.func.grad(lambda g: (g * weight).exp().sum())(goods)
    return (slope.norm() - 1).square()


def total(goods, create_graph=True):
    return penalty(goods)


total(torch.ones(3), create_graph=True).backward()
result(weight.grad)
