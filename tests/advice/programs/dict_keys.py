# A dict has a new key in each call, and the sizes change, too: PyTorch reports the sizes first.
# finding: recompile-dict-keys
# also: recompile-size
import torch
from result import result


class Total(torch.nn.Module):
    def forward(self, x, extra):
        for value in extra.values():
            x = x + value
        return x


model = torch.compile(Total(), backend="eager")
for i in range(6):
    n = 4 + i % 3
    result(model(torch.ones(n, 8), {f"k{i}": torch.ones(8)}))  # HERE
