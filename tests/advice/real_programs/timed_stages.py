# Stages of a model are timed by a context manager, and each logs its shapes.
# Two causes: time.perf_counter() in __enter__, which leaves the model's forward to Python; and the logger in each stage.
# versions: 2.6 2.13+
# finding: break-c-function
# finding (2.6): break-context-manager
# also: break-print
import logging
import time

import torch
from result import result
from torch import nn

log = logging.getLogger("shop.model")
torch.manual_seed(0)


class Timer:
    totals = {}

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.start = time.perf_counter()  # HERE (2.13+)
        return self

    def __exit__(self, *unused):
        Timer.totals[self.name] = Timer.totals.get(self.name, 0.0) + time.perf_counter() - self.start


class Stage(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        y = torch.relu(self.fc(x))
        log.info("stage: %s -> %s", tuple(x.shape), tuple(y.shape))
        return y


class Net(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.first = Stage(dim)
        self.second = Stage(dim)

    def forward(self, x):
        with Timer("first"):  # HERE (2.6)
            x = self.first(x)
        with Timer("second"):
            x = self.second(x)
        return x.sum()


net = torch.compile(Net(), backend="eager")
for _ in range(3):
    result(net(torch.ones(2, 8)))
result(sorted(Timer.totals))
