import torch
from result import result

torch.manual_seed(0)


def read(receipt, weight):
    return torch.nn.functional.conv1d(receipt, weight).relu()


weight = torch.linspace(-1, 1, 18).reshape(3, 2, 3).requires_grad_()
receipt = torch.linspace(-1, 1, 96).reshape(2, 2, 24).requires_grad_()
torch._dynamo.maybe_mark_dynamic(receipt, 2)
torch.compile(read)(receipt, weight).sum().backward()
result(weight.grad)
