"""CUDA graphs for many sizes."""
# warns: recording a new graph for each distinct|distinct sizes
# fix skip: cudagraph_skip_dynamic_graphs = True
# fix default: without CUDA graphs
import torch
from variant import FIX, result

if FIX == "skip":
    torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True


@torch.compile(mode="default" if FIX == "default" else "reduce-overhead", dynamic=True)
def scale(x):
    return (x * 2).sum()


total = 0.0
with torch.no_grad():
    for n in range(2, 62):
        for _ in range(3):
            total += float(scale(torch.ones(n, device="cuda")))
result(torch.tensor(total))
