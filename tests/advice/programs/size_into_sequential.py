# What is compiled is a module of PyTorch's, so the frame is a wrapper of PyTorch's: the place is the line that calls it.
# finding: recompile-size
# versions: 2.7+
# paste-before (2.7+): # CALL
import torch
from result import result

torch.manual_seed(0)
model = torch.compile(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()), backend="eager")
for n in (4, 5, 6):
    x = torch.ones(n, 4)
    y = model(x)  # HERE  # CALL
    result(y)
