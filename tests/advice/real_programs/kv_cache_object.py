# Decoding with a cache object that is filled in place; it counts what it holds in a Python integer.
# True cause: after the prompt comes one word at a time. How much the cache holds is dynamic from the second compile on.
# versions: 2.13+
# long
# finding: recompile-small-size
import torch
from result import result
from torch import nn


class Cache:
    def __init__(self, batch, room, width):
        self.keys, self.values = torch.zeros(batch, room, width), torch.zeros(batch, room, width)
        self.filled = 0

    def put(self, k, v):
        n = k.shape[1]
        self.keys[:, self.filled:self.filled + n] = k
        self.values[:, self.filled:self.filled + n] = v
        self.filled += n
        return self.keys[:, :self.filled], self.values[:, :self.filled]


class Attention(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x, cache):
        q, k, v = self.qkv(x).chunk(3, -1)
        k, v = cache.put(k, v)
        return self.out((q @ k.transpose(1, 2) / 4).softmax(-1) @ v)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.attention, self.head = nn.Embedding(30, 16), Attention(), nn.Linear(16, 30)

    def forward(self, ids, cache):
        return self.head(self.attention(self.embed(ids), cache))


@torch.no_grad()
def generate(model, prompt, steps):
    cache, ids = Cache(1, 32, 16), prompt
    for _ in range(steps):
        logits = model(ids, cache)
        ids = logits[:, -1:].argmax(-1)
        result(ids)


torch.manual_seed(0)
generate(torch.compile(Decoder().eval(), backend="eager"), torch.randint(30, (1, 6)), 8)
