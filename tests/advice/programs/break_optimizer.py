# A compiled optimizer, as PyTorch's recipe has it: its break is by design.
# clean
# versions: 2.6+
import torch
from result import result


torch.manual_seed(0)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


@torch.compile(backend="eager")
def update():
    optimizer.step()


for _ in range(2):
    model(torch.ones(2, 4)).sum().backward()
    update()
result(model.weight)
