# Each layer of a model writes a line through the module `logging`.
# True cause: logging.info() breaks the graph in each layer: one problem, one place.
# versions: 2.13+
# finding: break-print
import logging

import torch
from result import result
from torch import nn

logging.basicConfig(level=logging.WARNING)


class Layer(nn.Module):
    def __init__(self, number):
        super().__init__()
        self.number, self.linear = number, nn.Linear(8, 8)

    def forward(self, x):
        y = self.linear(x).relu()
        logging.info("layer done")  # HERE
        return x + y


torch.manual_seed(0)
model = torch.compile(nn.Sequential(*[Layer(i) for i in range(4)]).eval(), backend="eager")
with torch.no_grad():
    for _ in range(2):
        result(model(torch.randn(2, 8)))
