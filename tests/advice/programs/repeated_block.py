# A model of eight equal layers is one large graph, and the backend takes its time for each operator.
# long
# finding: repeated-block
# severity: medium
import time

import torch
from result import result
from torch import nn


def slowly(graph, inputs):
    time.sleep(0.9 * sum(node.op != "placeholder" for node in graph.graph.nodes))
    return graph.forward


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)

    def forward(self, x):
        return (self.a(x).relu() * 2 + 1).sin() + x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(8))

    def forward(self, x):  # HERE
        for layer in self.layers:
            x = layer(x)
        return x


torch.manual_seed(0)
model = Model()
compiled = torch.compile(model, backend=slowly)
result(compiled(torch.ones(2, 4, requires_grad=True)))
