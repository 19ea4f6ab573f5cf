# Ten models are compiled; all are of one class of PyTorch's and so share one limit.
# finding: recompile-limit
import torch
from result import result

torch.manual_seed(0)
for i in range(10):
    model = torch.compile(torch.nn.Linear(8, i + 2), backend="eager", isolate_recompiles=True)
    result(model(torch.ones(3, 8)))  # HERE
