# An argument by name that is passed in some calls only, to a method behind a decorator.
# finding: recompile-dict-keys
# versions: 2.7+
# says: `Reader\.forward` recompiled once: `labels` is now passed as well
# never-says: `wrapper`|kwargs` was|torch.stack
import torch
from result import result
from shop import Reader

torch.manual_seed(0)
model = torch.compile(Reader(), backend="eager")
ids, mask = torch.randint(0, 50, (2, 5)), torch.ones(2, 5)
for batch in ({"ids": ids, "mask": mask}, {"ids": ids, "mask": mask, "labels": torch.tensor([0, 1])}):
    out = model(**batch)  # HERE
    result(out)
