# Somebody measures each layer with time.perf_counter() inside of the model.
# True cause: time.perf_counter() breaks the graph, twice in a loop: nothing of the model is compiled as a whole.
# versions: 2.13+
# never-says: custom_op
# finding: break-c-function|break-builtin
import time

import torch
from result import result
from torch import nn


class Timed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers, self.seconds = nn.ModuleList(nn.Linear(8, 8) for _ in range(3)), [0.0] * 3

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            start = time.perf_counter()  # HERE
            x = layer(x).relu()
            self.seconds[i] += time.perf_counter() - start
        return x


torch.manual_seed(0)
timed = Timed().eval()
model = torch.compile(timed, backend="eager")
with torch.no_grad():
    for _ in range(3):
        result(model(torch.randn(2, 8)))
