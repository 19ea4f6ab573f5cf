# A float that is computed with before it meets a tensor: the result is a constant, also where the float is dynamic.
# finding: recompile-float
# says: once for each value
# tolerance: 1e-6
# versions: 2.13+
import torch
from result import result


def clipped(x, ratio, clip):
    return torch.min(x, x * ratio.clamp(1 - clip, 1 + clip)).mean()


torch.manual_seed(0)
loss_of = torch.compile(clipped, backend="aot_eager")
for step in range(4):
    clip = 0.2 * (1 - step / 10)
    x, ratio = torch.randn(4), torch.rand(4) + 0.5
    result(loss_of(x, ratio, clip))
