# Beam search: the best continuations are chosen on tensors, and taken over into Python lists within the compiled step.
# True cause: .tolist() of the chosen beams in the compiled function.
# versions: 2.13+
# long
# finding: break-item
# also: recompile-size
import torch
from result import result
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.mix, self.head = nn.Embedding(20, 16), nn.Linear(16, 16), nn.Linear(16, 20)

    def forward(self, ids):
        return self.head(self.mix(self.embed(ids).mean(1)).tanh()).log_softmax(-1)


@torch.compile(backend="eager")
def advance(model, beams, scores):
    total = scores[:, None] + model(beams)
    best, where = total.flatten().topk(3)
    parents = (where // 20).tolist()  # HERE
    words = where % 20
    kept = torch.stack([beams[parent] for parent in parents])
    return torch.cat([kept, words[:, None]], 1), best


torch.manual_seed(0)
model = Model().eval()
beams, scores = torch.randint(20, (3, 2)), torch.zeros(3)
with torch.no_grad():
    for _ in range(4):
        beams, scores = advance(model, beams, scores)
        result(beams, scores)
