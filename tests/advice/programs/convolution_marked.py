# The length of receipts is marked dynamic, and Inductor's backward of the convolution needs it as a constant.
# finding: error
# fails: marked .* as dynamic
# says: Inductor makes it the constant 24
# says: No line of the program does it
# never-says: A line of the code specializes
# versions: 2.13+
# inductor
# tolerance: 1e-5
import torch
from result import result

torch.manual_seed(0)


def read(receipt, weight):
    return torch.nn.functional.conv1d(receipt, weight).relu()  # the compiler comes to it


weight = torch.linspace(-1, 1, 18).reshape(3, 2, 3).requires_grad_()
receipt = torch.linspace(-1, 1, 96).reshape(2, 2, 24).requires_grad_()
torch._dynamo.mark_dynamic(receipt, 2)
torch.compile(read)(receipt, weight).sum().backward()
result(weight.grad)
