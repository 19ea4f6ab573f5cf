# Features come as a dict, and some requests lack one of them.
# True cause: the keys of the dict `features` differ from call to call.
# versions: 2.13+
# finding: recompile-dict-keys
# says: shop|item
import torch
from result import result
from torch import nn


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleDict({name: nn.EmbeddingBag(30, 8) for name in ("user", "item", "shop")})
        self.out = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, features):
        x = sum(self.tables[name](ids) for name, ids in features.items())
        return self.out(x)


torch.manual_seed(0)
ranker = torch.compile(Ranker().eval(), backend="eager")
with torch.no_grad():
    for names in (("user", "item", "shop"), ("user", "item"), ("user", "item", "shop"), ("user", "shop")):
        result(ranker({name: torch.randint(30, (4, 3)) for name in names}))
