# A convolution is trained on receipts of several lengths: Inductor's backward of it needs each length as a constant.
# finding: recompile-specialized
# also: late-backward
# says: No line of the program does it
# says: convolution_backward_lowering
# never-says: operator is given the size as a number
# versions: 2.13+
# inductor
# tolerance: 1e-5
import torch
from result import result

torch.manual_seed(0)
till = torch.nn.Sequential(torch.nn.Conv1d(2, 3, 3, padding=1), torch.nn.Conv1d(3, 2, 3, padding=1))
read = torch.compile(till)
for length in (24, 16, 20, 28):
    receipt = torch.zeros(2, 2, length)
    receipt[..., :12] = torch.linspace(-1, 1, 12)
    read(receipt)[..., :8].square().sum().backward()  # HERE
result(till[0].weight.grad)
