# Keeps the most important part of the tokens that are no padding.
# True cause: int(...) of a tensor decides how many are kept.
# versions: 2.13+
# long
# finding: break-item
# also: recompile-size
import torch
from result import result
from torch import nn


class Pruner(nn.Module):
    def __init__(self):
        super().__init__()
        self.score, self.mix, self.head = nn.Linear(8, 1), nn.Linear(8, 8), nn.Linear(8, 2)

    def forward(self, x, mask):
        score = self.score(x)[..., 0].masked_fill(mask == 0, -1e4)
        keep = max(1, int(mask.sum(1).min() * 0.5))  # HERE
        chosen = score.topk(keep, 1).indices
        x = x.gather(1, chosen[..., None].expand(-1, -1, x.shape[-1]))
        return self.head(self.mix(x).tanh().mean(1))


torch.manual_seed(0)
model = torch.compile(Pruner().eval(), backend="eager")
with torch.no_grad():
    for least in (8, 6, 9, 5):
        mask = (torch.arange(12) < torch.tensor([12, least])[:, None]).long()
        result(model(torch.randn(2, 12, 8), mask))
