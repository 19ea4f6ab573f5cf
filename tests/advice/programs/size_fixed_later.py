# Inductor folds a tensor that is filled with a size, and needs the number: no line of the program makes it a constant.
# finding: recompile-specialized
# versions: 2.4-2.6
# says: after Dynamo had traced the function
# never-says: dynamic=False
import torch
from result import result


@torch.compile(dynamic=True)
def f(x):
    return x + torch.full((1,), x.shape[0])


for n in range(3, 7):
    result(f(torch.ones(n)))  # HERE
