# Modules of two classes of torch.nn, and the step of an optimizer, share PyTorch's wrapper, but each is compiled once.
# clean
# not: recompile recompile-limit
# versions: 2.6+
import torch
from result import result

torch.manual_seed(0)
till = torch.nn.Linear(4, 4)
optimizer = torch.optim.Adam(till.parameters(), torch.tensor(0.1), capturable=False)
prices = torch.compile(till, backend="aot_eager")
floor = torch.compile(torch.nn.ReLU(), backend="aot_eager")
update = torch.compile(optimizer.step, backend="aot_eager")
for _ in range(3):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        total = prices(torch.ones(2, 4))
    floor(total.float()).sum().backward()
    update()
    optimizer.zero_grad()
result(till.weight)
