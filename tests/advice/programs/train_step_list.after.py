import torch
from result import result


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
compiled = torch.compile(model, backend="eager")
losses = []


def train_step(x):
    optimizer.zero_grad()
    loss = compiled(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    return loss


for _ in range(4):
    train_step(torch.ones(2, 4))
result(torch.tensor(losses))
