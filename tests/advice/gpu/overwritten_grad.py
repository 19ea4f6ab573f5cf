"""Gradients that are accumulated over several steps: `.grad` of the first one is an output of the compiled backward."""
# fails: accessing tensor output of CUDAGraphs that has been overwritten
# fix own: a `\.grad` of its own
# fix zero: zero_grad
import torch
from variant import FIX, result

torch.manual_seed(0)
model = torch.nn.Linear(32, 32).cuda()
compiled = torch.compile(model, mode="reduce-overhead")
if FIX == "own":
    for p in model.parameters():
        p.grad = torch.zeros_like(p)
for step in range(5):
    if FIX == "zero":
        model.zero_grad(set_to_none=True)
    compiled(torch.full((8, 32), step / 10, device="cuda")).square().sum().backward()
result(sum(p.grad.sum() for p in model.parameters()) if FIX != "zero" else torch.tensor(0.0))
