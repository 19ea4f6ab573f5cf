# A recommender is called for one of five surfaces, by name.
# True cause: `surface`, a string; a few values.
# finding: recompile-constant
# never-says (2.7+): numbers of their words
import torch
from result import result
from torch import nn

SURFACES = ["home page", "search results", "push message", "side bar", "e mail"]


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.ParameterDict({name.replace(" ", "_"): nn.Parameter(torch.randn(4)) for name in SURFACES})
        self.net = nn.Linear(4, 4)

    def forward(self, x, surface):
        return self.net(x) + self.bias[surface.replace(" ", "_")]


torch.manual_seed(0)
model = torch.compile(Ranker().eval(), backend="eager")
with torch.no_grad():
    for name in SURFACES:
        result(model(torch.randn(2, 4), name))
