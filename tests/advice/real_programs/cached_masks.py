# Masks are kept in a dict of the module, by their size, so that they are made only once.
# True cause: the dict grows with each new size: its keys are compiled in. Sizes vary, too.
# versions: 2.13+
# long
# finding: recompile-dict-keys|recompile-specialized|recompile-size|recompile-length
# also: recompile-dict-keys recompile-size recompile-length recompile-specialized
import torch
from result import result
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qk, self.masks = nn.Linear(8, 16), {}

    def mask(self, n):
        if n not in self.masks:
            self.masks[n] = torch.full((n, n), float("-inf")).triu(1)
        return self.masks[n]

    def forward(self, x):
        q, k = self.qk(x).chunk(2, -1)
        return ((q @ k.transpose(1, 2)) + self.mask(x.shape[1])).softmax(-1) @ x


torch.manual_seed(0)
attention = torch.compile(Attention().eval(), backend="eager")
with torch.no_grad():
    for n in (4, 6, 4, 7, 6):
        result(attention(torch.randn(2, n, 8)))
