"""Forward calls that are never followed by a backward."""
# warns: Unable to hit fast path of CUDAGraphs
# fix no_grad: torch\.no_grad\(\)
# fix backward: run the backward
import contextlib

import torch
from variant import FIX, result

torch.manual_seed(0)
model = torch.nn.Linear(32, 1).cuda()
compiled = torch.compile(model, mode="reduce-overhead")
outputs = []
with torch.no_grad() if FIX == "no_grad" else contextlib.nullcontext():
    for step in range(6):
        y = compiled(torch.full((4, 32), step / 10, device="cuda"))
        outputs.append(y if FIX is None else y.detach().clone())
        if FIX == "backward":
            y.sum().backward()
            model.zero_grad(set_to_none=True)
result(outputs[-1].sum())
