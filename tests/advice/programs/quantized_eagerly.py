# A model of eager-mode quantization is compiled: its layers keep their weights packed.
# versions: 2.6+
# finding: break-unsupported-module
# also: skipped-frame
# says: of torchao
# never-says: pass the result in|newer PyTorch
import torch
from result import result

class Shelf(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.till = torch.nn.Linear(8, 6)
        self.price = torch.nn.Linear(6, 2)

    def forward(self, x):
        y = self.till(x.sin())  # HERE (2.4-2.6)
        return self.price(y.relu()) * 2


torch.manual_seed(0)
model = torch.ao.quantization.quantize_dynamic(Shelf().eval(), {torch.nn.Linear}, dtype=torch.qint8)
with torch.no_grad():
    result(torch.compile(model, backend="eager")(torch.ones(3, 8)))  # HERE (2.7+)
