# A print of tensors and text in the middle of a function: Dynamo can print it afterwards.
# finding: break-print
# severity: medium
# output (2.4-2.5): differs
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    print("mean", y.mean(), f"of {y.shape}")  # HERE
    return y.cos() + 1


result(f(torch.ones(4)), f(torch.zeros(4)))
