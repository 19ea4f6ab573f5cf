# Point clouds of any number of points; the code compares that number with a constant to choose a path.
# versions: 2.13+
# long
# finding: recompile-shape-relation|recompile-specialized
# also: recompile-size
import torch
from result import result


@torch.compile(backend="eager")
def pool(points):
    if points.shape[0] > 100:  # HERE
        points = points[:: points.shape[0] // 50]
    return points.amax(0)


torch.manual_seed(0)
for n in (40, 60, 150, 80, 220):
    result(pool(torch.randn(n, 3)))
