# Two optimizers, one of them compiled with a rate that changes: the trace of 2.6 does not say which, so the text has no name of the program's.
# finding: recompile-learning-rate
# never-says: (adjust|other).param_groups
# also: break-optimizer recompile-many-modules recompile-identity
# tolerance: 1e-5
# inductor
# versions: 2.6
import torch
from result import result

torch.manual_seed(0)
weight = torch.nn.Parameter(torch.ones(4))
bias = torch.nn.Parameter(torch.ones(4))
adjust = torch.optim.AdamW([weight], lr=0.5)
other = torch.optim.AdamW([bias], lr=0.5)
scheduler = torch.optim.lr_scheduler.StepLR(adjust, 1, 0.5)


@torch.compile  # HERE
def update():
    adjust.step()


@torch.compile
def update_other():
    other.step()


for _ in range(3):
    ((weight + bias) ** 2).sum().backward()
    update()
    update_other()
    scheduler.step()
    adjust.zero_grad()
    other.zero_grad()
    result(weight)
