import torch
from result import result

torch.manual_seed(0)
weight = torch.nn.Parameter(torch.ones(4))
adjust = torch.optim.AdamW([weight], lr=0.5)
for group in adjust.param_groups:
    group["lr"] = torch.tensor(group["lr"])
scheduler = torch.optim.lr_scheduler.StepLR(adjust, 1, 0.5)


@torch.compile
def update():
    adjust.step()


for _ in range(3):
    (weight**2).sum().backward()
    update()
    scheduler.step()
    adjust.zero_grad()
    result(weight)
