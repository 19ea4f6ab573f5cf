"""Training of a tiny transformer block with changing sequence lengths: recompiles once and is dynamic from then on."""

import torch
from torch import nn

RUN = {}


class Block(nn.Module):
    def __init__(self, width=16, heads=2):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.mix(self.norm(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return x + self.out(seen.transpose(1, 2).reshape(batch, length, width))


torch.manual_seed(11)
model = Block()
compiled = torch.compile(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for length in (5, 7, 9, 9):
    optimizer.zero_grad()
    compiled(torch.randn(2, length, 16)).pow(2).mean().backward()
    optimizer.step()
