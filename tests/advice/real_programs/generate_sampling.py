# Text generation: the ids grow by one token per step, the whole prefix is given to the model again.
# True cause: dimension 1 of `ids` grows.
# versions: 2.13+
# long
# finding: recompile-size
import torch
from result import result
from torch import nn


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(50, 16)
        self.block = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, dropout=0.0)
        self.head = nn.Linear(16, 50)

    def forward(self, ids):
        x = self.emb(ids)
        mask = torch.full((ids.shape[1], ids.shape[1]), float("-inf")).triu(1)
        return self.head(self.block(x, src_mask=mask, is_causal=True))[:, -1]


def sample(logits, temperature, top_k):
    values, _ = torch.topk(logits / temperature, top_k)
    logits = logits.masked_fill(logits < values[:, -1:], float("-inf"))
    return torch.multinomial(logits.softmax(-1).nan_to_num(0.1), 1)


torch.manual_seed(0)
model = torch.compile(LM().eval(), backend="eager")
ids = torch.randint(50, (2, 4))
with torch.no_grad():
    for _ in range(4):
        logits = model(ids)  # HERE
        ids = torch.cat([ids, sample(logits, 0.8, 5)], dim=1)
result(ids)
