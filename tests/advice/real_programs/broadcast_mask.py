# A mask is one row that is expanded for most batches, and a tensor of its own for some.
# True cause: the layout of `mask`: stride 0 where it is expanded.
# versions: 2.13+
# long
# finding: recompile-stride
import torch
from result import result


@torch.compile(backend="eager")
def pool(x, mask):
    weight = mask.to(x.dtype)
    return (x * weight).sum(1) / weight.sum(1)


row = torch.tensor([[[True], [True], [False], [True]]])
own = torch.tensor([[[True], [False], [False], [True]]]).repeat(3, 1, 6)
for mask in (row.expand(3, 4, 6), own, row.expand(3, 4, 6), own):
    result(pool(torch.arange(72.0).reshape(3, 4, 6), mask))  # HERE
