import torch
from result import result

torch.manual_seed(0)
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=3)
net = torch.compile(model, backend="eager")


def closure():
    optimizer.zero_grad()
    loss = (net(torch.ones(2, 3)) - 1).square().mean()
    loss.backward()
    return loss


def update():
    return optimizer.step(closure)


update()
result(model.weight)
