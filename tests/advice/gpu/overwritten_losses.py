"""Outputs of micro batches that are kept, while backward of each runs."""
# fails: accessing tensor output of CUDAGraphs that has been overwritten
# fix clone: \.clone\(\)
import torch
from variant import FIX, result

torch.manual_seed(0)
model = torch.nn.Linear(32, 32).cuda()
compiled = torch.compile(model, mode="reduce-overhead")
losses = []
for step in range(5):
    loss = compiled(torch.full((8, 32), step / 10, device="cuda")).square()
    loss.sum().backward()
    losses.append(compiled(torch.full((8, 32), step / 10, device="cuda")).clone() if FIX == "clone" else
                  compiled(torch.full((8, 32), step / 10, device="cuda")))
    losses[-1].sum().backward()
result(torch.stack([loss.detach() for loss in losses]).sum())
