# The model is turned into bfloat16 for the evaluation at the end of each epoch, and back.
# True causes: the gradient mode, and the dtype of the parameters.
# versions: 2.13+
# long
# finding: recompile-global-state
# says: the dtype of .* went from torch.float32 to torch.bfloat16
import torch
from result import result
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
        self.mix = nn.Linear(8, 8)
        self.out = nn.Linear(8, 5)

    def forward(self, words):
        return self.out(self.mix(self.embed(words)).tanh())


torch.manual_seed(0)
model = Tagger()
compiled = torch.compile(model, backend="eager")
words = torch.arange(12).reshape(3, 4)
for _ in range(2):
    result(compiled(words).detach().sum(0).round(decimals=1))
    with torch.no_grad():
        model.bfloat16()
        result(compiled(words).argmax(-1))  # HERE
        model.float()
