# A small `rearrange` of one's own, like einops': the pattern is taken apart with regular expressions in each call.
# Nothing is wrong: texts are constants while Dynamo traces, also for regular expressions.
# versions: 2.13+
# long
# clean
import re

import torch
from result import result
from torch import nn


def parse(side):
    return [group.strip("()").split() for group in re.findall(r"\([^)]*\)|\S+", side)]


def rearrange(x, pattern, **sizes):
    left, right = (parse(side) for side in pattern.split("->"))
    known, full = dict(sizes), []
    for names, size in zip(left, x.shape):
        unknown = [name for name in names if name not in known]
        rest = size
        for name in names:
            rest = rest // known[name] if name in known else rest
        known.update({name: rest for name in unknown})
        full += names
    x = x.reshape([known[name] for name in full])
    order = [name for names in right for name in names]
    x = x.permute([full.index(name) for name in order])
    shape = []
    for names in right:
        size = 1
        for name in names:
            size *= known[name]
        shape.append(size)
    return x.reshape(shape)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(16, 48), nn.Linear(16, 16)

    def forward(self, x):
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=4) for t in self.qkv(x).chunk(3, -1))
        y = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.out(rearrange(y, "b h n d -> b n (h d)"))


torch.manual_seed(0)
model = torch.compile(Attention().eval(), backend="eager")
with torch.no_grad():
    for _ in range(2):
        result(model(torch.randn(2, 6, 16)))
