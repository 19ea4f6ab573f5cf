# Each block is timed with a context manager of one's own, which keeps times in a dict.
# True cause: time.perf_counter() in the compiled code.
# versions: 2.13+
# long
# finding: break-c-function|break-context-manager|break-generator
# also: break-context-manager skipped-frame tiny-graphs break-hotspot break-c-function
import contextlib
import time

import torch
from result import result
from torch import nn

times = {}


@contextlib.contextmanager
def timed(name):
    begin = time.perf_counter()
    yield
    times[name] = time.perf_counter() - begin


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 12), nn.Linear(12, 2)

    def forward(self, x):
        with timed("a"):
            h = self.a(x).relu()
        with timed("b"):
            return self.b(h)


torch.manual_seed(0)
net = torch.compile(Net().eval(), backend="eager")
with torch.no_grad():
    for _ in range(3):
        result(net(torch.randn(4, 6)))
