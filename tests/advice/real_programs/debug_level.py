# Debug output that is off: the code asks the logger first.
# True cause: logger.isEnabledFor() in the compiled function, if it breaks the graph. Nothing is logged.
# versions: 2.13+
# long
# finding: break-print
import logging

import torch
from result import result
from torch import nn

log = logging.getLogger("train")


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(4, 8), nn.Linear(8, 4)

    def forward(self, x):
        hidden = self.up(x).relu()
        if log.isEnabledFor(logging.DEBUG):  # HERE
            log.debug("hidden %s", hidden.shape)
        return x + self.down(hidden)


torch.manual_seed(0)
model = torch.compile(nn.Sequential(Block(), Block()), backend="eager")
with torch.no_grad():
    for _ in range(2):
        result(model(torch.ones(2, 4)))
