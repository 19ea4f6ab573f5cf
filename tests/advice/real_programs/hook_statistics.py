# A monitor keeps the largest activation of each layer as a Python number.
# True cause: .item() in a forward hook breaks the graph in each layer, and hooks and layers are compiled by themselves for it.
# versions: 2.13+
# finding: break-item
from collections import defaultdict

import torch
from result import result
from torch import nn

torch.manual_seed(0)


class Monitor:
    def __init__(self):
        self.stats = defaultdict(list)

    def attach(self, model):
        for name, module in model.named_modules():
            if isinstance(module, nn.Linear):
                module.register_forward_hook(self.make(name))

    def make(self, name):
        def hook(module, inputs, output):
            peak = output.detach().abs().max()
            self.stats[name].append(peak.item())  # HERE
        return hook

    def report(self):
        for name, values in sorted(self.stats.items()):
            result(name, values)


class Mlp(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.fc1 = nn.Linear(8, width)
        self.act = nn.SiLU()
        self.fc2 = nn.Linear(width, 8)
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        return self.norm(x + self.fc2(self.act(self.fc1(x))))


def main():
    model = nn.Sequential(Mlp(), Mlp())
    monitor = Monitor()
    monitor.attach(model)
    fast = torch.compile(model, backend="eager")
    for _ in range(3):
        fast(torch.randn(4, 8)).sum().backward()
    monitor.report()


main()
