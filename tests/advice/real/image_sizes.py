# finding: recompile-size
# says: `ResNet.forward`
# also: slow-guards
# tolerance: 1e-4
import timm
import torch
from result import result

torch.manual_seed(0)
model = timm.create_model("resnet18", pretrained=False, num_classes=10)
compiled = torch.compile(model, backend="aot_eager")
model.train()
for size in (64, 96, 80):
    loss = compiled(torch.randn(2, 3, size, size)).sum()  # HERE
    loss.backward()
    result(loss)
