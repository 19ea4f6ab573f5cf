# finding: recompile-size
# says: `Sequential` .*`x`|argument 1
# also: recompile-global-state
# never-says: `args\[
import torch
from accelerate import Accelerator
from accelerate.utils import TorchDynamoPlugin
from result import result

torch.manual_seed(0)
accelerator = Accelerator(cpu=True, dynamo_plugin=TorchDynamoPlugin(backend="aot_eager"))
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.utils.data.TensorDataset(torch.randn(22, 8), torch.randint(0, 2, (22,)))
model, optimizer, loader = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(data, batch_size=4))
for epoch in range(2):
    model.train()
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x), y)  # HERE
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    result(loss)
    model.eval()
    with torch.no_grad():
        result(model(data.tensors[0]).sum())
