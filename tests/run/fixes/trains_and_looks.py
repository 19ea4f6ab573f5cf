# A model is trained, and looked at without gradients in between; sizes of batches differ at the end.
# finding: recompiles
import torch
from result import result

torch.manual_seed(7)
model = torch.nn.Linear(4, 2)
fast = torch.compile(model, backend="aot_eager")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for size in (8, 8, 3):
    optimizer.zero_grad()
    loss = fast(torch.ones(size, 4)).square().mean()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        result(fast(torch.ones(size, 4)).sum())
