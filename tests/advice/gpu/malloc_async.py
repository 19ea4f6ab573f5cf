"""CUDA graphs with the allocator of CUDA."""
# fails: cudaMallocAsync does not yet support
# environment: PYTORCH_CUDA_ALLOC_CONF=backend:cudaMallocAsync
# fix native: PYTORCH_CUDA_ALLOC_CONF=backend:native
# variable native: PYTORCH_CUDA_ALLOC_CONF=backend:native
# fix default: no mode "reduce-overhead"
import torch
from variant import FIX, result


@torch.compile(mode="default" if FIX == "default" else "reduce-overhead")
def scale(x):
    return x * 2 + 1


with torch.no_grad():
    for _ in range(4):
        y = scale(torch.ones(64, device="cuda"))
result(y.sum())
