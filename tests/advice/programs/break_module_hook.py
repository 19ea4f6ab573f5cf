# A backward hook of a module looks at gradients.
# finding: break-hook
# severity: low
# also: skipped-frame recompile-requires-grad
# versions: 2.13+
import torch
from result import result

torch.manual_seed(0)
norms = []


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.second(self.first(x).relu())  # HERE


model = Model()
model.second.register_full_backward_hook(lambda module, before, after: norms.append(after[0].norm().item()))
y = torch.compile(model, backend="aot_eager")(torch.ones(2, 4))
y.sum().backward()
result(y, len(norms))
