# A convolution without gradients keeps its sizes dynamic.
# finding: recompile-size
# never-says: convolution_backward_lowering
# never-says: No line of the program
# versions: 2.13+
# inductor
# tolerance: 1e-5
import torch
from result import result

torch.manual_seed(0)
till = torch.nn.Conv1d(2, 3, 3, padding=1)
read = torch.compile(till)
with torch.no_grad():
    for length in (24, 16, 20, 28):
        result(read(torch.ones(2, 2, length)))  # HERE
