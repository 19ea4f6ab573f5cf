# A queue of keys in a buffer; where the next ones go is an integer attribute that the model itself changes.
# True cause: the attribute `pointer` is compiled in, once for each value.
# versions: 2.13+
# long
# finding: recompile-module-attribute
# says: rises from call to call
import torch
from result import result
from torch import nn


class MoCo(nn.Module):
    def __init__(self, width=8, size=64):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, width))
        self.register_buffer("queue", nn.functional.normalize(torch.randn(size, width), dim=1))
        self.pointer = 0

    def forward(self, a, b):
        q = nn.functional.normalize(self.encoder(a), dim=1)
        with torch.no_grad():
            k = nn.functional.normalize(self.encoder(b), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.clone().T], 1)
        self.queue[self.pointer:self.pointer + len(k)] = k
        self.pointer = (self.pointer + len(k)) % len(self.queue)
        return nn.functional.cross_entropy(logits / 0.1, torch.zeros(len(k), dtype=torch.long))


torch.manual_seed(0)
moco = MoCo()
step = torch.compile(moco, backend="aot_eager")
for _ in range(5):
    x = torch.randn(4, 6)
    loss = step(x + 0.1 * torch.randn_like(x), x)
    loss.backward()
    result(loss)
