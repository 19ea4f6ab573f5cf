# Spectrograms of another length in each batch, with a mask of the same length beside them.
# True cause: dimension 1 of `frames` and of `mask` changes together.
# versions: 2.13+
# finding: recompile-size
# says: (?s)frames.*mask|mask.*frames
import torch
from result import result
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(20, 16)
        self.attention, self.out = nn.Linear(16, 1), nn.Linear(16, 6)

    def forward(self, frames, mask):
        x = self.enter(frames).relu()
        score = self.attention(x).squeeze(-1).masked_fill(~mask, -1e9).softmax(-1)
        return self.out((x * score.unsqueeze(-1)).sum(1))


torch.manual_seed(0)
encoder = torch.compile(Encoder().eval(), backend="eager")
with torch.no_grad():
    for length in (31, 47, 52, 40):
        frames = torch.randn(3, length, 20)
        mask = torch.arange(length) < torch.tensor([[length], [length - 5], [length // 2]])
        result(encoder(frames, mask))
