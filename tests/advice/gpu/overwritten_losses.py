"""Outputs of several steps that are read after backward, when their memory is in use again."""
# fails: accessing tensor output of CUDAGraphs that has been overwritten
# fix clone: \.clone\(\)
import torch
from variant import FIX, result

torch.manual_seed(0)
model = torch.nn.Linear(32, 32).cuda()
compiled = torch.compile(model, mode="reduce-overhead")
outputs = []
for step in range(5):
    y = compiled(torch.full((8, 32), step / 10, device="cuda"))
    outputs.append(y.detach().clone() if FIX == "clone" else y.detach())
    y.square().sum().backward()
    model.zero_grad(set_to_none=True)
result(torch.stack(outputs).sum())
