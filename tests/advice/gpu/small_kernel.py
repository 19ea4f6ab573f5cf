"""A kernel that takes most of the GPU's time, in a program in which the GPU has next to nothing to do."""
# activity
# never: gpu-slow-kernel
import torch
from variant import result


@torch.compile(dynamic=False)
def scale(x):
    return (x.sin() * 2).sum()


total = 0.0
for _ in range(300):
    total += float(scale(torch.ones(1024, device="cuda")))
result(torch.tensor(total))
