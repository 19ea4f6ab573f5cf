# The code halves its input until little is left: each size takes another way, marked or not.
# versions: 2.13+
# long
# finding: recompile-size|recompile-shape-relation
# also: recompile-size recompile-shape-relation
# says: Pad to a few sizes|decides by a size
import torch
from result import result


@torch.compile(backend="eager")
def fold(x):
    while x.shape[0] > 1:
        half = x.shape[0] // 2
        x = torch.cat([x[:half] + x[half:2 * half], x[2 * half:]])
    return x


for n in (6, 9, 12, 17):
    result(fold(torch.ones(n, 3)))
