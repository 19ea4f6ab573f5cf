import torch
from result import result


def clipped(x, ratio, clip):
    return torch.min(x, x * ratio.clamp(1 - clip, 1 + clip)).mean()


torch.manual_seed(0)
loss_of = torch.compile(clipped, backend="aot_eager")
for step in range(4):
    clip = torch.tensor(0.2 * (1 - step / 10))
    x, ratio = torch.randn(4), torch.rand(4) + 0.5
    result(loss_of(x, ratio, clip))
