"""An output that is kept while the function runs again."""
# fails: accessing tensor output of CUDAGraphs that has been overwritten
# fix clone: \.clone\(\)
# fix default: no mode "reduce-overhead"
import torch
from variant import FIX, result

mode = "default" if FIX == "default" else "reduce-overhead"


@torch.compile(mode=mode)
def scale(x):
    return x * 2 + 1


kept = []
with torch.no_grad():
    for step in range(4):
        y = scale(torch.full((64,), float(step), device="cuda"))
        kept.append(y.clone() if FIX == "clone" else y)
result(torch.stack(kept).sum())
