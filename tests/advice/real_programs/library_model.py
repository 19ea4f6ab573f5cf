# A model of a library, whose forward stands behind a decorator; texts of several lengths.
# finding: recompile-size
# versions: 2.7+
# says: `Reader\.forward` recompiled once: dimension 1 of `ids` and `batch\["mask"\]` went from 5 to 7
# never-says: `wrapper`|kwargs`|Different as well
import torch
from result import result
from shop import Reader

torch.manual_seed(0)
model = torch.compile(Reader(), backend="eager")


def step(ids, batch):
    logits = model(ids, mask=batch["mask"])  # HERE
    return logits.sum()


for length in (5, 7, 9):
    result(step(torch.randint(0, 50, (2, length)), {"mask": torch.ones(2, length)}))
