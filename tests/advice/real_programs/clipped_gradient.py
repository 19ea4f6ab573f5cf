# The gradient that flows into the encoder is clipped by a hook on an intermediate tensor.
# Nothing is wrong: the hook becomes a part of the backward graph.
# versions: 2.13+
# long
# clean
import torch
from result import result
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(6, 12), nn.Linear(12, 6)

    def forward(self, x):
        h = self.encoder(x).tanh()
        if h.requires_grad:
            h.register_hook(lambda grad: grad.clamp(-0.01, 0.01))
        return self.decoder(h)


torch.manual_seed(0)
model = Model()
compiled = torch.compile(model, backend="aot_eager")
for _ in range(3):
    x = torch.randn(4, 6)
    loss = (compiled(x) - x).pow(2).mean()
    model.zero_grad()
    loss.backward()
    result(loss, model.encoder.weight.grad.abs().sum())
