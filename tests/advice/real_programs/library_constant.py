# A line of the library loops over the rows: the place is the line of the program.
# finding: recompile-specialized
# versions: 2.7+
# says: `Patches\.forward` .*(.|\n)*A line of a library, shop\.py:\d+, needs the size
import torch
from result import result
from shop import Patches

torch.manual_seed(0)
model = torch.compile(Patches(), backend="eager")
for rows in (4, 8, 12):
    out = model(torch.randn(rows, 4))  # HERE
    result(out)
