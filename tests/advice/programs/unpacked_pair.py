# A tensor of pairs is unpacked: that its first size is 2 is how the line is written. All sizes are dynamic.
# clean
# not: specialization
# versions: 2.7+
import torch
from result import result


@torch.compile(backend="eager", dynamic=True)
def costs(pairs):
    price, count = pairs
    return (price * count).sum()


torch.manual_seed(0)
for n in (5, 6):
    result(costs(torch.randn(2, n)))
