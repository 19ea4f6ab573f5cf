# Training with batch norm changes its buffers in place, as it must: nothing is wrong.
# clean
# not: mutated-inputs
import torch
from result import result
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.ReLU())
compiled = torch.compile(model, backend="aot_eager")
for step in range(3):
    compiled(torch.randn(8, 4)).sum().backward()
result([p.grad for p in model.parameters()], model[1].running_mean)
