# A trainer object with a compiled method; the batch is a dict, one key is there in training only.
# versions: 2.13+
# long
# finding: recompile-dict-keys
# also: recompile-training-flag recompile-global-state
import torch
from result import result
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.run = torch.compile(self.run_batch, backend="eager")

    def run_batch(self, batch):
        out = {"logits": self.model(batch["x"])}
        if "y" in batch:
            out["loss"] = nn.functional.cross_entropy(out["logits"], batch["y"])
        return out


torch.manual_seed(0)
trainer = Trainer(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3)))
for _ in range(2):
    out = trainer.run({"x": torch.randn(4, 6), "y": torch.randint(3, (4,))})
    result(out["loss"].detach())
    out = trainer.run({"x": torch.randn(4, 6)})
    result(out["logits"].detach())
