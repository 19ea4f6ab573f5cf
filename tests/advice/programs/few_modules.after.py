import torch
from result import result

torch.manual_seed(0)
for i in range(4):
    model = torch.compile(torch.nn.Linear(8, i + 2), backend="eager", isolate_recompiles=True)
    result(model(torch.ones(3, 8)))
