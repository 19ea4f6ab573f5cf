# A vision transformer alternates windows and global attention; each block has the flag and its window as attributes.
# True cause: `self.window`, an int per block, compiled per value: blocks are compiled one by one (few values).
# finding: recompile-module-attribute|recompile-int|recompile-many-modules|recompile-constant
# finding (2.4-2.6): recompile-specialized
import torch
from result import result
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, window):
        super().__init__()
        self.window, self.qkv, self.out = window, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        w = self.window or n
        q, k, v = self.qkv(x.reshape(b * n // w, w, d)).chunk(3, -1)
        y = nn.functional.scaled_dot_product_attention(q, k, v)
        return x + self.out(y.reshape(b, n, d))


torch.manual_seed(0)
blocks = nn.Sequential(*(Block(8, w) for w in (4, 8, 0, 4))).eval()
for block in blocks:
    block.compile(backend="eager")
with torch.no_grad():
    result(blocks(torch.randn(2, 16, 8)))
