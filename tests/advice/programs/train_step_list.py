# A whole training step is compiled, which keeps its losses in a list: the list is no cause of its own.
# finding: break-train-step
# never-says: pass one tensor of a varying size
# tolerance: 1e-6
# versions: 2.6+
import torch
from result import result


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = []


@torch.compile(backend="eager")
def train_step(x):
    optimizer.zero_grad()  # HERE
    loss = model(x).pow(2).mean()
    loss.backward()  # HERE
    optimizer.step()  # HERE
    losses.append(loss.item())
    return loss


for _ in range(4):
    train_step(torch.ones(2, 4))
result(torch.tensor(losses))
