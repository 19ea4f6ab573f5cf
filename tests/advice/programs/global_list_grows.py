# The compiled code keeps what it computed in a global list, whose length is compiled in.
# versions: 2.13+
# finding: recompile-length
# says: collect it outside
import torch
from result import result

seen = []


@torch.compile(backend="eager")
def f(x):
    y = x.sin()
    seen.append(y.sum())  # HERE
    return y


for n in range(4):
    result(f(torch.ones(3) * n))
result(seen)
