# Sentences of any length go through an embedding and a pooling layer.
# finding: recompiles
import torch
from result import result


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(50, 8)
        self.out = torch.nn.Linear(8, 4)

    def forward(self, tokens):
        return self.out(self.table(tokens).mean(dim=0))


torch.manual_seed(1)
encode = torch.compile(Encoder(), backend="eager", dynamic=False)
for length in (5, 7, 9, 12):
    result(encode(torch.arange(length)))
