# Sequences become longer each epoch, and a global factor smaller.
# True causes: the length of the inputs and the global `NOISE` change together.
# versions: 2.13+
# long
# finding: recompile-size
# says: NOISE
import torch
from result import result
from torch import nn

NOISE = 0.5


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv1d(2, 8, 3, padding=1), nn.Conv1d(8, 2, 3, padding=1)

    def forward(self, batch):
        x = batch["clean"]
        y = self.b(torch.relu(self.a(x + NOISE * batch["noise"])))
        return {"loss": (y - x).pow(2).mean(), "peak": y.abs().amax()}


torch.manual_seed(0)
net = Denoiser()
model = torch.compile(net, backend="aot_eager")
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for epoch in range(3):
    NOISE = 0.5 / (epoch + 1)
    length = 8 * 2 ** epoch
    for _ in range(2):
        out = model({"clean": torch.randn(4, 2, length), "noise": torch.randn(4, 2, length)})
        optimizer.zero_grad()
        out["loss"].backward()
        optimizer.step()
    result(out["loss"])
