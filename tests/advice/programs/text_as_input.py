# Reviews of a shop are compiled in, one by one: the text is what the compiled function is called with.
# finding: recompile-limit
# says: The text itself is compiled in, once for each. Make a tensor
# never-says: above their number|weight them
# versions: 2.7+
import torch
from result import result

LETTERS = {letter: i + 1 for i, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}


class Review(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(32, 4)

    def forward(self, review):
        first = [LETTERS.get(word[0], 0) for word in review.lower().split()]  # HERE
        return self.table(torch.tensor(first)).sum(0)


REVIEWS = ("Fast till", "slow till", "good bread", "old bread", "Kind people here", "no bags", "too loud", "very clean",
           "never again", "best of all shops")
torch.manual_seed(0)
model = torch.compile(Review().eval(), backend="eager")
with torch.no_grad():
    for text in REVIEWS:
        result(model(text))
