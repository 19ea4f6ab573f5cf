# Beam search: scores and tokens of a step leave the graph as Python lists, hypotheses are sorted in Python.
# True cause: .tolist() of the best tokens within the compiled step.
# versions: 2.7+
# finding: break-item
# also: recompile-int recompile-length recompile-float recompile-size recompile-constant recompile-specialized
import torch
from result import result
from torch import nn


class Step(nn.Module):
    def __init__(self, words=12, dim=8):
        super().__init__()
        self.emb, self.out = nn.Embedding(words, dim), nn.Linear(dim, words)

    def forward(self, beams, width):
        tokens = torch.tensor([b[-1] for b, _ in beams])
        logp = self.out(self.emb(tokens)).log_softmax(-1)
        values, words = logp.topk(width, -1)
        grown = []
        for (b, score), vs, ws in zip(beams, values.tolist(), words.tolist()):  # HERE
            grown += [(b + [w], score + v) for v, w in zip(vs, ws)]
        return sorted(grown, key=lambda g: -g[1])[:width]


torch.manual_seed(0)
step = torch.compile(Step().eval(), backend="eager")
beams = [([0], 0.0)]
with torch.no_grad():
    for _ in range(3):
        beams = step(beams, 2)
result(torch.tensor([b for b, _ in beams]))
