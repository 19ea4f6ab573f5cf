import torch
import torch.nn.functional as F
from result import result


@torch.compile(backend="eager")
def attend(q, k, v):
    causal = True if q.shape[2] == k.shape[2] else False
    return F.scaled_dot_product_attention(q, k, v, is_causal=causal)


torch.manual_seed(0)
k = v = torch.rand(1, 2, 6, 4)
result(attend(torch.rand(1, 2, 6, 4), k, v))
for _ in range(4):
    k = v = torch.cat([k, torch.rand(1, 2, 1, 4)], 2)
    result(attend(torch.rand(1, 2, 1, 4), k, v))
