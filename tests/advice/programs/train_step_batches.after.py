import torch
from result import result


torch.manual_seed(0)
model = torch.nn.Linear(4, 4)
compiled = torch.compile(model, backend="eager")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(rows):
    optimizer.zero_grad()
    loss = sum(compiled(row).pow(2).mean() for row in rows)
    loss.backward()
    optimizer.step()
    return loss


for n in (1, 2, 3):
    result(train_step([torch.ones(4)] * n))
