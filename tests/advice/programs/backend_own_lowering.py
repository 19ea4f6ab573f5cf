# The program has a custom operator with a lowering of its own, and a mistake in that: a TensorBox times a number.
# inductor
# finding: error
# severity: critical
# says: runs `lower` of this program
# says (2.4-2.5): fix its lowering
# never-says: repro\.py|TORCHDYNAMO_REPRO
# fails: LoweringException|InductorError|BackendCompilerFailed
import torch
from result import result
from torch._inductor.lowering import lowerings, register_lowering


@torch.library.custom_op("shop::softcap", mutates_args=())
def softcap(x: torch.Tensor, cap: float) -> torch.Tensor:
    return torch.tanh(x / cap) * cap


@softcap.register_fake
def _(x, cap):
    return torch.empty_like(x)


@register_lowering(torch.ops.shop.softcap.default, type_promotion_kind=None)
def lower(x, cap):
    scaled = lowerings[torch.ops.aten.div.Tensor](x, cap)
    return lowerings[torch.ops.aten.tanh.default](scaled) * cap  # HERE (2.6+)


@torch.compile  # HERE (2.4-2.5)
def attention(q, k):
    return softcap(q @ k.t(), 30.0).softmax(-1)


torch.manual_seed(0)
result(attention(torch.randn(4, 8), torch.randn(4, 8)))
