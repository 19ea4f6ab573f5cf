# A whole training step is compiled. The list that it is given has another length each time, which is a cause of its own.
# finding: break-train-step
# also: recompile-length
# tolerance: 1e-6
# versions: 2.6+
import torch
from result import result


torch.manual_seed(0)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.compile(backend="eager")
def train_step(rows):
    optimizer.zero_grad()  # HERE
    loss = sum(model(row).pow(2).mean() for row in rows)
    loss.backward()  # HERE
    optimizer.step()  # HERE
    return loss


for n in (1, 2, 3):
    result(train_step([torch.ones(4)] * n))
