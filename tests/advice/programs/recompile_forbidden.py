# Recompiles are an error, and the batch changes its size.
# finding: error
# fails: RecompileError
# says: dimension 0 of `x` went from 4 to 5
# versions: 2.13+
import torch
from result import result

torch._dynamo.config.error_on_recompile = True


def scale(x):  # HERE
    return x * 2


scaled = torch.compile(scale, backend="eager")
for n in (4, 5, 6):
    result(scaled(torch.ones(n)))
