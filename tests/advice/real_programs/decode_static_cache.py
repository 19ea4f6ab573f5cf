# Greedy decoding with a cache that is allocated once: the position is a Python integer that grows by one with each call.
# True cause: the integer `position` is compiled in; the second value makes it dynamic, so there is one recompile. Nothing else.
# versions: 2.13+
# finding: recompile-int
# says: position
import torch
from result import result
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, dim, heads, length):
        super().__init__()
        self.heads, self.qkv, self.out = heads, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.register_buffer("keys", torch.zeros(1, heads, length, dim // heads))
        self.register_buffer("values", torch.zeros(1, heads, length, dim // heads))

    def forward(self, x, position):
        batch, length, dim = x.shape
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        self.keys[:, :, position:position + 1] = k
        self.values[:, :, position:position + 1] = v
        seen = torch.arange(self.keys.shape[2]) <= position
        y = F.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=seen[None])
        return self.out(y.transpose(1, 2).reshape(batch, length, dim))


class Decoder(nn.Module):
    def __init__(self, vocabulary=50, dim=32, layers=2, length=16):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim)
        self.layers = nn.ModuleList(Attention(dim, 4, length) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, vocabulary)

    def forward(self, token, position):
        x = self.embed(token)
        for layer in self.layers:
            x = x + layer(x, position)
        return self.head(self.norm(x))


torch.manual_seed(0)
model = Decoder().eval()
step = torch.compile(model, backend="eager")
token, said = torch.tensor([[7]]), []
with torch.no_grad():
    for position in range(10):
        token = step(token, position)[:, -1].argmax(-1, keepdim=True)
        said.append(token.item())
result(said)
