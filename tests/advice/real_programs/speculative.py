# A small model proposes words, a large one of the same class checks them.
# True causes: the number of words grows; the two models share their code, and are different.
# versions: 2.13+
# long
# finding: recompile-many-modules|recompile-size
# also: recompile-many-modules recompile-size
# paste-before: # CALL
import torch
from result import result
from torch import nn


class LM(nn.Module):
    def __init__(self, vocab=40, width=16, layers=1):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.pos = nn.Embedding(64, width)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(width, 2, 32, batch_first=True, dropout=0.0) for _ in range(layers))
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        t = ids.shape[1]
        x = self.emb(ids) + self.pos(torch.arange(t, device=ids.device))
        mask = nn.Transformer.generate_square_subsequent_mask(t)
        for layer in self.layers:
            x = layer(x, src_mask=mask)
        return self.head(x)


def propose(draft, ids, k):
    for _ in range(k):
        ids = torch.cat([ids, draft(ids)[:, -1:].argmax(-1)], 1)  # CALL
    return ids


def accept(target, ids, start):
    best = target(ids)[:, start - 1:-1].argmax(-1)
    same = (best == ids[:, start:]).cumprod(1).sum().item()
    return torch.cat([ids[:, :start + same], best[:, same:same + 1]], 1), same


torch.manual_seed(0)
draft, target = LM().eval(), LM(layers=2).eval()
draft, target = torch.compile(draft, backend="eager"), torch.compile(target, backend="eager")
ids, k = torch.randint(40, (1, 5)), 3
with torch.no_grad():
    for step in range(3):
        start = ids.shape[1]
        ids = propose(draft, ids, k)
        ids, same = accept(target, ids, start)
        k = max(1, min(5, same + 1))
        result(ids)
