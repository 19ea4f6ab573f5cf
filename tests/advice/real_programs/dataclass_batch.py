# Batches are dataclasses, and the last ones have no mask.
# True cause: `mask` of the batch is a tensor in some calls and None in others. The sizes stay the same.
# versions: 2.13+
# finding: recompile-none
# says: mask
from dataclasses import dataclass
from typing import Optional

import torch
from result import result
from torch import nn


@dataclass
class Batch:
    tokens: torch.Tensor
    mask: Optional[torch.Tensor] = None


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.mix, self.tag = nn.Embedding(40, 16), nn.Linear(16, 16), nn.Linear(16, 5)

    def forward(self, batch: Batch):
        x = self.mix(self.embed(batch.tokens)).tanh()
        if batch.mask is not None:
            x = x * batch.mask.unsqueeze(-1)
        return self.tag(x)


torch.manual_seed(0)
tagger = torch.compile(Tagger().eval(), backend="eager")
with torch.no_grad():
    for i in range(4):
        tokens = torch.randint(40, (2, 6))
        result(tagger(Batch(tokens, (tokens > 9).float() if i < 2 else None)))
