# The backbone is frozen for the first epoch and trained from then on.
# True cause: requires_grad of the parameters changes.
# versions: 2.13+
# long
# finding: recompile-requires-grad
import torch
from result import result
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
head = nn.Linear(8, 3)
model = nn.Sequential(backbone, head)
step_model = torch.compile(model, backend="aot_eager")
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for p in backbone.parameters():
        p.requires_grad_(epoch > 0)
    loss = nn.functional.cross_entropy(step_model(torch.randn(4, 8)), torch.randint(3, (4,)))
    loss.backward()
    opt.step()
    opt.zero_grad()
    result(loss.detach())
