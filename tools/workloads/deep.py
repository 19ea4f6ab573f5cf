"""A model of eight equal layers that is compiled as a whole, and a small function: the one graph holds
one block again and again, and takes long."""

import torch
from torch import nn

RUN = {}


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.first, self.second = nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.second(nn.functional.gelu(self.first(self.norm(x)))).tanh()


class Deep(nn.Module):
    def __init__(self, width=16, layers=8):
        super().__init__()
        self.layers = nn.ModuleList(Layer(width) for _ in range(layers))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@torch.compile
def doubles(x):
    return x * 2


torch.manual_seed(5)
model = Deep()
torch.compile(model)(torch.randn(4, 16)).sum().backward()
doubles(torch.randn(3))
