# A recurrent model keeps its state from one chunk of a text to the next.
# True cause: `self.state` is None in the first call, and a tensor in all others.
# versions: 2.13+
# long
# finding: recompile-none|recompile-module-attribute|recompile-attribute|recompile-type
# says: state
import torch
from result import result
from torch import nn


class Streaming(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.cell, self.head, self.state = nn.GRUCell(width, width), nn.Linear(width, 3), None

    def forward(self, chunk):
        state = torch.zeros_like(chunk[:, 0]) if self.state is None else self.state
        for t in range(chunk.shape[1]):
            state = self.cell(chunk[:, t], state)
        self.state = state.detach()
        return self.head(state)


torch.manual_seed(0)
model = torch.compile(Streaming().eval(), backend="eager")
with torch.no_grad():
    for _ in range(4):
        result(model(torch.randn(2, 4, 8)))
