# A whole training step is compiled: the loop's own calls break the graph.
# finding: break-train-step
# also: recompile-learning-rate break-item
# tolerance: 1e-6
import torch
from result import result


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)


@torch.compile(backend="aot_eager")
def train_step(x):
    optimizer.zero_grad()  # HERE
    loss = model(x).pow(2).mean()
    loss.backward()  # HERE
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # HERE (2.6)
    optimizer.step()  # HERE
    scheduler.step()  # HERE
    return loss.item()


for _ in range(3):
    result(train_step(torch.ones(2, 4)))
