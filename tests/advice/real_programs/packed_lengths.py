# Batches are named tuples: tokens, and the length of the longest text as a Python number, for which a mask is made.
# True cause: `longest` is another number in each batch; the tokens are padded to one size always.
# versions: 2.13+
# long
# finding: recompile-int
# says: longest
from typing import NamedTuple

import torch
from result import result
from torch import nn


class Batch(NamedTuple):
    tokens: torch.Tensor
    longest: int


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.mix, self.head = nn.Embedding(50, 16), nn.Linear(16, 16), nn.Linear(16, 3)

    def forward(self, batch):
        x = self.mix(self.embed(batch.tokens)).tanh()
        mask = (torch.arange(x.shape[1]) < batch.longest).float()
        return self.head((x * mask[:, None]).sum(1) / batch.longest)


torch.manual_seed(0)
model = torch.compile(Classifier().eval(), backend="eager")
with torch.no_grad():
    for longest in (12, 9, 7, 11, 5):
        result(model(Batch(torch.randint(50, (4, 16)), longest)))
