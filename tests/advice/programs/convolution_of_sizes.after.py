import torch
from result import result

torch.manual_seed(0)
till = torch.nn.Sequential(torch.nn.Conv1d(2, 3, 3, padding=1), torch.nn.Conv1d(3, 2, 3, padding=1))
read = torch.compile(till)
for length in (24, 16, 20, 28):
    receipt = torch.zeros(2, 2, 28)
    receipt[..., :12] = torch.linspace(-1, 1, 12)
    read(receipt)[..., :8].square().sum().backward()
result(till[0].weight.grad)
