import torch
from result import result

torch._dynamo.config.capture_dynamic_output_shape_ops = True


@torch.library.custom_op("shop::pack", mutates_args=())
def pack(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    return torch.cat([row[:n] for row, n in zip(x, lengths.tolist())])


@pack.register_fake
def _(x, lengths):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


def encode(x, lengths):
    return pack(x.sin(), lengths).sum()


torch.manual_seed(0)
encoded = torch.compile(encode, backend="eager")
for lengths in ([2, 3], [1, 4]):
    result(encoded(torch.randn(2, 4), torch.tensor(lengths)))
