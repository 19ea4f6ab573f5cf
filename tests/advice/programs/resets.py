# torch._dynamo.reset() between compiles is a fact, no fault.
# clean
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    return x.sin()


result(f(torch.ones(3)))
torch._dynamo.reset()
result(f(torch.ones(3)))
