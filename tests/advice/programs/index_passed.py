# A tensor is indexed with a tensor without dimensions, which is passed in.
# finding: recompile-specialized
import torch
from result import result


@torch.compile(backend="eager")
def f(x, i):
    y = x.sin() * 2
    return y[i] + y.cos()  # HERE (2.6+)


for i in range(3):
    result(f(torch.ones(4, 3), torch.tensor(i)))  # HERE (2.4-2.5)
