# A classifier that takes texts and looks their words up itself.
# True cause: strings come into the compiled function: each new text is a new compile. Fix: look words up outside of what is compiled.
# versions: 2.13+
# long
# finding: recompile-constant
# says: texts
import torch
from result import result
from torch import nn

WORDS = "<pad> the a movie was great bad boring and very not film plot acting".split()


class TextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.index = {word: i for i, word in enumerate(WORDS)}
        self.embed, self.head = nn.EmbeddingBag(len(WORDS), 16), nn.Linear(16, 2)

    def tokenize(self, texts, width=8):
        rows = []
        for text in texts:
            ids = [self.index.get(word, 0) for word in text.lower().split()]
            rows.append((ids + [0] * width)[:width])
        return torch.tensor(rows)

    def forward(self, texts):
        return self.head(self.embed(self.tokenize(texts)))


torch.manual_seed(0)
model = torch.compile(TextModel().eval(), backend="eager")
batches = [["The movie was great", "A bad film"], ["Very boring plot", "Great acting and plot"], ["Not bad", "The acting was bad"], ["A very very bad movie", "great great film"]]
with torch.no_grad():
    for texts in batches:
        result(model(texts))
