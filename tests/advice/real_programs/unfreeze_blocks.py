# Blocks are unfrozen one after the other, from the last to the first.
# True cause: requires_grad of the parameters of the blocks goes from False to True.
# versions: 2.13+
# finding: recompile-requires-grad
# says: recompiled 4 times
import torch
from result import result
from torch import nn

torch.manual_seed(0)
blocks = nn.Sequential(*(nn.Sequential(nn.Linear(8, 8), nn.GELU()) for _ in range(4)), nn.Linear(8, 2))
for block in blocks[:4]:
    block.requires_grad_(False)
model = torch.compile(blocks, backend="eager")
x, y = torch.randn(6, 8), torch.randint(2, (6,))
for epoch in range(5):
    if epoch:
        blocks[4 - epoch].requires_grad_(True)
    loss = nn.functional.cross_entropy(model(x), y)  # HERE
    loss.backward()
    result(loss)
    for p in blocks.parameters():
        p.grad = None
