# Batches of several data sets take turns: each is a dict, with keys of its own beside those that all have.
# True cause: the keys of `batch` differ.
# versions: 2.13+
# long
# finding: recompile-dict-keys
# says: batch
import torch
from result import result
from torch import nn


class MultiHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 16)
        self.heads = nn.ModuleDict({"label": nn.Linear(16, 3), "score": nn.Linear(16, 1), "tags": nn.Linear(16, 5)})

    def forward(self, batch):
        h, losses = self.body(batch["x"]).relu(), {}
        for name, target in batch.items():
            if name == "label":
                losses[name] = nn.functional.cross_entropy(self.heads[name](h), target)
            elif name == "score":
                losses[name] = (self.heads[name](h)[:, 0] - target).pow(2).mean()
            elif name == "tags":
                losses[name] = nn.functional.binary_cross_entropy_with_logits(self.heads[name](h), target)
        return sum(losses.values())


def batches():
    for i in range(6):
        x = torch.randn(4, 6)
        yield ({"x": x, "label": torch.randint(3, (4,))}, {"x": x, "score": torch.rand(4)}, {"x": x, "tags": (torch.rand(4, 5) > 0.5).float(), "label": torch.randint(3, (4,))})[i % 3]


torch.manual_seed(0)
model = MultiHead()
compiled = torch.compile(model, backend="aot_eager")
for batch in batches():
    loss = compiled(batch)
    loss.backward()
    result(loss)
