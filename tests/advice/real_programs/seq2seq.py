# Encoder and decoder with sentences of different lengths; masks are made from lengths outside.
# versions: 2.13+
# long
# finding: recompile-size
import torch
from result import result
from torch import nn


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.src, self.tgt = nn.Embedding(30, 16), nn.Embedding(30, 16)
        self.attend = nn.MultiheadAttention(16, 2, batch_first=True)
        self.out = nn.Linear(16, 30)

    def forward(self, source, target, padding):
        memory = self.src(source)
        x, _ = self.attend(self.tgt(target), memory, memory, key_padding_mask=padding, need_weights=False)
        return self.out(x)


torch.manual_seed(0)
model = Translator()
step = torch.compile(model, backend="eager")
for source_length, target_length in ((7, 5), (9, 6), (6, 8), (8, 8)):
    source = torch.randint(30, (2, source_length))
    target = torch.randint(30, (2, target_length))
    padding = torch.zeros(2, source_length, dtype=torch.bool)
    padding[1, -1] = True
    logits = step(source, target, padding)  # HERE
    result(logits.detach().sum())
