# The step of an optimizer that PyTorch keeps out of compiled code, and all that is compiled.
# finding: break-on-purpose
# severity: high
# says: Nothing is compiled of `update`
# versions: 2.6+
import torch
from result import result

torch.manual_seed(0)
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=3)


def closure():
    optimizer.zero_grad()
    loss = (model(torch.ones(2, 3)) - 1).square().mean()
    loss.backward()
    return loss


@torch.compile(backend="eager")
def update():
    return optimizer.step(closure)  # HERE


update()
result(model.weight)
