# Four models are compiled that are of one class of PyTorch's: each is a compile of the same code.
# finding: recompile-many-modules
# versions: 2.13+
import torch
from result import result

torch.manual_seed(0)
for i in range(4):
    model = torch.compile(torch.nn.Linear(8, i + 2), backend="eager")
    result(model(torch.ones(3, 8)))  # HERE
