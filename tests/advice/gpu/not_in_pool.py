"""An output of CUDA graphs is given other memory."""
# fails: not allocated in pool
# fix clone: \.clone\(\)
# fix default: without CUDA graphs
import torch
from variant import FIX, result


@torch.compile(mode="default" if FIX == "default" else "reduce-overhead")
def scale(x):
    return x * 2 + 1


with torch.no_grad():
    for _ in range(3):
        y = scale(torch.ones(64, device="cuda"))
    if FIX == "clone":
        y = y.clone()
    y.resize_(1 << 20)
    y.zero_()
    z = scale(torch.ones(128, device="cuda"))
    z = scale(torch.ones(128, device="cuda"))
result(z.sum())
