"""Each step calls a compiled function twice, and needs both results."""
# fails: accessing tensor output of CUDAGraphs that has been overwritten
# fix mark: once for each step: `torch\.compiler\.cudagraph_mark_step_begin\(\)`
# fix clone: \.clone\(\)
import torch
from variant import FIX, result


@torch.compile(mode="reduce-overhead")
def encode(x):
    return torch.tanh(x * 2)


total = 0.0
with torch.no_grad():
    for step in range(6):
        if FIX == "mark":
            torch.compiler.cudagraph_mark_step_begin()
        a = encode(torch.full((64,), step / 10, device="cuda"))
        a = a.clone() if FIX == "clone" else a
        b = encode(torch.full((64,), step / 20, device="cuda"))
        total += float((a - b).sum())
result(torch.tensor(total))
