# A scheduler sets another learning rate for a compiled update. The text names the optimizer as the program does; its inputs are
# changed in place on purpose.
# finding: recompile-learning-rate
# says: for group in adjust.param_groups
# not: mutated-inputs
# also: break-optimizer
# inductor
# tolerance: 1e-5
# versions: 2.6
import torch
from result import result

torch.manual_seed(0)
weight = torch.nn.Parameter(torch.ones(4))
adjust = torch.optim.AdamW([weight], lr=0.5)
scheduler = torch.optim.lr_scheduler.StepLR(adjust, 1, 0.5)


@torch.compile  # HERE
def update():
    adjust.step()


for _ in range(3):
    (weight**2).sum().backward()
    update()
    scheduler.step()
    adjust.zero_grad()
    result(weight)
