# A model of eager-mode quantization is compiled as one graph, which fails.
# finding: error
# fails: Unsupported
# says: of torchao
# versions: 2.7+
# never-says: pass the result in
import torch
from result import result


class Shelf(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.till = torch.nn.Linear(8, 6)

    def forward(self, x):
        return self.till(x.sin()) * 2  # HERE


torch.manual_seed(0)
model = torch.ao.quantization.quantize_dynamic(Shelf().eval(), {torch.nn.Linear}, dtype=torch.qint8)
with torch.no_grad():
    result(torch.compile(model, backend="eager", fullgraph=True)(torch.ones(3, 8)))
