"""CUDA graphs were asked for, and one tensor is on the CPU."""
# warns: skipping cudagraphs
# finding: cudagraphs-skipped
# fix gpu: move them to the GPU
import torch
from variant import FIX, result


@torch.compile(mode="reduce-overhead")
def scale(x, factor):
    return x * factor + 1


factor = torch.tensor([2.0], device="cuda" if FIX == "gpu" else "cpu").expand(()) if FIX == "gpu" else torch.tensor(2.0)
with torch.no_grad():
    for _ in range(3):
        y = scale(torch.ones(64, device="cuda"), factor)
result(y.sum())
