# Two inputs have sizes that move together: marking one of them alone would fail.
# finding: recompile-size
# paste-before (2.7+): # CALL
# not: specialization
import torch
from result import result


class Pool(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(100, 8)

    def forward(self, ids, mask=None):
        return (self.embedding(ids) * mask[..., None]).sum(1)


torch.manual_seed(0)
model = torch.compile(Pool(), backend="eager")
for rows, columns in ((2, 8), (2, 12), (3, 12), (4, 20)):
    ids = torch.arange(rows * columns).reshape(rows, columns)
    batch = {"mask": torch.ones(rows, columns)}
    out = model(ids, mask=batch["mask"])  # HERE  # CALL
    result(out)
