# Sequences of one batch come as a list of tensors, and each batch has another number of them.
# True cause: the length of the list `sequences` changes, and the loop over it is unrolled.
# versions: 2.13+
# never-says: Strings choose
# finding: recompile-length
# says: sequences
# never-says: sequences = torch.stack
import torch
from result import result
from torch import nn


class Pooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.score, self.out = nn.Linear(8, 1), nn.Linear(8, 4)

    def forward(self, sequences):
        pooled = []
        for sequence in sequences:
            weight = self.score(sequence).softmax(0)
            pooled.append((weight * sequence).sum(0))
        return self.out(torch.stack(pooled))


torch.manual_seed(0)
pooler = torch.compile(Pooler().eval(), backend="eager")
with torch.no_grad():
    for n in (2, 3, 4, 5):
        result(pooler([torch.randn(5, 8) for _ in range(n)]))
