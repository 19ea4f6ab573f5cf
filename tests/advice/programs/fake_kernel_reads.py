# The fake kernel of a custom operator reads a value to compute the size of the result.
# finding: missing-fake-kernel
# says: reads a tensor's value
# versions: 2.13+
import torch
from result import result


@torch.library.custom_op("shop::pack", mutates_args=())
def pack(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    return torch.cat([row[:n] for row, n in zip(x, lengths.tolist())])


@pack.register_fake
def _(x, lengths):
    return x.new_empty(int(lengths.sum()))


def encode(x, lengths):
    return pack(x.sin(), lengths).sum()  # HERE


torch.manual_seed(0)
encoded = torch.compile(encode, backend="eager")
for lengths in ([2, 3], [1, 4]):
    result(encoded(torch.randn(2, 4), torch.tensor(lengths)))
