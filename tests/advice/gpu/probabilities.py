"""Sampling from probabilities that are NaN, of float16 that overflows."""
# fails: probability tensor contains|device-side assert
# fix float32: float16
import torch
from variant import FIX, result


@torch.compile
def probabilities(x, w):
    scores = x @ w
    return torch.softmax(scores - scores, -1)


dtype = torch.float32 if FIX == "float32" else torch.float16
x, w = torch.full((1, 512), 300.0, device="cuda", dtype=dtype), torch.full((512, 8), 300.0, device="cuda", dtype=dtype)
picked = torch.multinomial(probabilities(x, w).float(), 1)
result(torch.zeros(1) + float(picked.min() >= 0))
