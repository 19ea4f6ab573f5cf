"""CUDA graphs were asked for, and one tensor is on the CPU."""
# warns: skipping cudagraphs
# finding: cudagraphs-skipped
# fix gpu: move them to the GPU
import torch
from variant import FIX, result

torch._inductor.config.graph_partition = False  # which takes such a part out of the graph, where it is on


@torch.compile(mode="reduce-overhead")
def scale(x, factor):
    return x * 3 + 1, factor * 2


factor = torch.full((64,), 2.0, device="cuda" if FIX == "gpu" else "cpu")
with torch.no_grad():
    for _ in range(3):
        y, twice = scale(torch.ones(64, device="cuda"), factor)
result(y.sum() + twice.sum().to(y.device))
